#pragma once

#include "mizan/clock.hpp"
#include "mizan/epoch_table.hpp"
#include "mizan/lease_table.hpp"
#include "mizan/ledger.hpp"
#include "mizan/lock.hpp"
#include "mizan/result.hpp"
#include "mizan/store.hpp"

#include "base/random.hpp"
#include "base/uuid.hpp"
#include "cli/backend.hpp"
#include "cli/command.hpp"
#include "cli/counted_epochs.hpp"
#include "cli/output.hpp"
#include "cli/settings.hpp"
#include "cli/table.hpp"
#include "webhook/administration.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mizan::cli {

class Context;

/// How a command means to use the store.
enum class Access : std::uint8_t {
  read,    ///< Beside an owner.
  write,   ///< As the owner of a store that is there.
  create,  ///< As the owner, making it where it is missing.
};

/// `wait` is how long to wait for another owner or for a server; empty: as the store has it.
using OpenStore = std::function<Result<std::unique_ptr<Store>>(
    std::string_view url, Access access, std::optional<std::chrono::milliseconds> wait)>;

/// What the store gives to a lock; null where no store is open or it has no such thing.
struct LockGround {
  LeaseTable* leases = nullptr;  ///< For `store:`.
  EpochTable* epochs = nullptr;  ///< For the tokens of a lock outside of the store.

  /// How long one exchange with the lock's server may take at most; empty: as its URL has it.
  std::optional<std::chrono::milliseconds> wait{};
};

using OpenLock = std::function<Result<std::unique_ptr<LockService>>(std::string_view url,
                                                                    const LockGround& ground)>;

/// What of a server is used.
enum class RemoteUse : std::uint8_t { ledger, leases };

/// A running server that `--store` names in the place of a database.
struct RemotePlace {
  std::string url;         ///< `http:` or `https:`, host and port.
  std::string key;         ///< The API key; empty: none.
  std::string ca_file;     ///< Certificates to trust instead of the system's; empty: the system's.
  std::string request_id;  ///< Under which the server logs this call's requests.
  std::chrono::milliseconds deadline{};  ///< Of whatever has no deadline of its own.

  std::optional<Strategy> strategy;  ///< Asked for; absent: the server's.

  /// How long to go on while nobody answers at all; at most the deadline.
  std::chrono::milliseconds patience{};
};

using OpenRemote = std::function<Result<std::unique_ptr<Backend>>(const RemotePlace& place)>;
using OpenRemoteLeases =
    std::function<Result<std::unique_ptr<LeaseTable>>(const RemotePlace& place)>;
using OpenRemoteWebhooks =
    std::function<Result<std::unique_ptr<webhook::Administration>>(const RemotePlace& place)>;

/// A command that is implemented elsewhere (demo, prove, bench): it parses its own words.
struct Subcommand {
  std::string name;
  std::string summary;
  std::function<int(std::span<const std::string_view> words, Context& context)> run;
};

/// All that the command line cannot know by itself.
struct Wiring {
  const Clock& clock;
  Random& random;
  Environment environment;
  OpenStore open_store;
  OpenLock open_lock;
  std::vector<Subcommand> subcommands;

  /// `mizan serve`, after its words were parsed; empty where the build has no server.
  std::function<int(Context& context)> serve = {};

  // Empty where the build has no client.
  OpenRemote open_remote = {};
  OpenRemoteLeases open_remote_leases = {};
  OpenRemoteWebhooks open_remote_webhooks = {};
};

/// What is at the other end of the streams.
struct Terminals {
  bool out = false;
  bool err = false;
  bool colours = false;  ///< NO_COLOR is not set and TERM is not dumb.
};

/// Where answers and words for people go. The outputs outlive it.
struct Streams {
  Output& out;
  Output& err;
  Terminals terminals = {};
};

/// Webhooks, with the store that keeps them where it is here.
struct OpenWebhooks {
  std::unique_ptr<Store> store;
  std::unique_ptr<webhook::Administration> administration;  // Goes first: it uses the store.
};

/// What a command works with. One thread at a time.
class Context {
 public:
  Context(const Wiring& wiring, const Command& root, const Streams& streams);

  /// Set before a command runs.
  void configure(Settings settings, bool json);

  [[nodiscard]] const Wiring& wiring() const noexcept { return wiring_; }

  [[nodiscard]] const Clock& clock() const noexcept { return wiring_.clock; }

  [[nodiscard]] const Command& root() const noexcept { return root_; }

  [[nodiscard]] const Settings& settings() const noexcept { return settings_; }

  [[nodiscard]] bool json() const noexcept { return json_; }

  /// May a progress line be drawn on stderr?
  [[nodiscard]] bool progress() const noexcept { return terminals_.err && !json_; }

  /// Is stdout a terminal that wants colours?
  [[nodiscard]] bool colours() const noexcept { return terminals_.out && terminals_.colours; }

  Output& out() noexcept { return out_; }

  Output& err() noexcept { return err_; }

  [[nodiscard]] const Style& out_style() const noexcept { return out_style_; }

  [[nodiscard]] const Style& err_style() const noexcept { return err_style_; }

  /// The database of the settings; an error that says so where they name a server.
  [[nodiscard]] Result<std::unique_ptr<Store>> open_store(Access access) const;

  /// The ledger of the settings, in this process or behind a server.
  [[nodiscard]] Result<std::unique_ptr<Backend>> open_backend(Access access);

  /// The leases of the store or of the server, opened for each exchange.
  [[nodiscard]] Result<std::unique_ptr<LeaseTable>> open_leases();

  /// The webhooks of the store of the settings.
  [[nodiscard]] Result<OpenWebhooks> open_webhooks(Access access);

  /// The lock service of the settings; null for `none:`.
  [[nodiscard]] Result<std::unique_ptr<LockService>> open_lock(const LockGround& ground) const;

  /// Counted from the beginning of the call: what opening took is part of it.
  [[nodiscard]] Deadline deadline() const { return began_ + settings_.deadline(); }

  /// The deadline's length where somebody stated one: then it bounds all of the waiting.
  [[nodiscard]] std::optional<std::chrono::milliseconds> stated_deadline() const;

  /// A fresh operation id: a UUID of version 7.
  [[nodiscard]] OperationId new_operation_id() { return OperationId{uuids_.next().view()}; }

  /// What the problems of this call are told apart by: a UUID, made when it is first asked for.
  [[nodiscard]] const std::string& request_id();

  /// Remembers which operation this call is about.
  void note_operation(const OperationId& id) { operation_ = id; }

  [[nodiscard]] const std::optional<OperationId>& operation() const noexcept { return operation_; }

  /// One line on stdout.
  void line(std::string_view text);

  /// One line on stderr, for people.
  void note(std::string_view text);

  /// Reports the error in the form that was asked for; answers its exit status.
  int fail(const Error& error);

 private:
  [[nodiscard]] bool is_remote() const;
  [[nodiscard]] Result<RemotePlace> remote_place(RemoteUse use);

  const Wiring& wiring_;
  const Command& root_;
  Output& out_;
  Output& err_;
  Terminals terminals_;
  Style out_style_;
  Style err_style_;
  UuidGenerator uuids_;
  std::string request_id_;
  std::optional<OperationId> operation_;
  Settings settings_;
  Instant began_{};
  bool json_ = false;
};

/// A store with the ledger over it and, where one is configured, its lock.
struct OpenLedger {
  std::unique_ptr<Store> store;
  std::unique_ptr<CountedEpochs> epochs;  ///< The store's; those of every lock service beside it.
  std::unique_ptr<LockService> lock;
  std::unique_ptr<Ledger> ledger;  // Goes first: it uses them all.
};

[[nodiscard]] Result<OpenLedger> open_ledger(const Context& context, Access access);

}  // namespace mizan::cli
