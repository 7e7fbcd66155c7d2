#include "http/key_ring.hpp"

#include "base/api_key.hpp"
#include "base/thread.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace mizan::http {
namespace {

constexpr std::chrono::seconds interval{2};
constexpr std::uint8_t admin_bit = 4;

Access unauthorized(std::string detail, std::string key_id = {}) {
  return {
      std::move(key_id),
      Error{Code::unauthorized, Certainty::not_applied, Retry::never, "access", std::move(detail)}};
}

std::uint8_t bit_of(Scope scope) noexcept {
  switch (scope) {
    case Scope::open:
      return 0;
    case Scope::read:
      return 1;
    case Scope::write:
      return 2;
    case Scope::admin:
      return admin_bit;
  }
  return admin_bit;
}

std::string_view name_of(Scope scope) noexcept {
  switch (scope) {
    case Scope::open:
      return "none";
    case Scope::read:
      return "read";
    case Scope::write:
      return "write";
    case Scope::admin:
      return "admin";
  }
  return "";
}

/// What stands behind `Bearer`, in whatever case; empty for another scheme.
std::string_view bearer_of(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  if (authorization.size() <= scheme.size()) return {};
  const bool is_bearer =
      std::equal(scheme.begin(), scheme.end(), authorization.begin(), [](char a, char b) {
        return a == b || a == b + ('a' - 'A');
      });
  return is_bearer ? authorization.substr(scheme.size()) : std::string_view();
}

}  // namespace

KeyRing::KeyRing(KeyTable& table, const Clock& clock) : table_(table), clock_(clock) {
  read_again();
  thread_ = std::jthread([this] { run(); });
}

KeyRing::~KeyRing() {
  {
    const MutexLock lock(mutex_);
    closing_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

Access KeyRing::check(std::string_view authorization, Scope needed) {
  if (needed == Scope::open) return {};
  const std::string_view bearer = bearer_of(authorization);
  if (bearer.empty()) return unauthorized("a key is needed: Authorization: Bearer mzk_…");
  const auto shown = read_api_key(bearer);
  if (!shown) return unauthorized("this is not a key");
  const MutexLock lock(mutex_);
  const auto found = keys_.find(shown->id);
  // A key that is not there is compared too, so that time does not tell which ids there are.
  constexpr std::array<std::byte, 32> nothing{};
  const bool is_same =
      is_same_hash(found == keys_.end() ? nothing : found->second.record.hash, shown->hash);
  if (found == keys_.end() || !is_same) return unauthorized("there is no such key");
  Known& key = found->second;
  if (key.record.revoked_at) return unauthorized("this key was revoked", shown->id);
  if (!take_one(key)) {
    return {shown->id,
            Error{Code::rate_limited,
                  Certainty::not_applied,
                  Retry::after_backoff,
                  "access",
                  "too many requests with this key; try again in a moment"}};
  }
  const std::uint8_t scopes = key.record.scopes;
  if ((scopes & (bit_of(needed) | admin_bit)) != 0) return {shown->id, std::nullopt};
  return {shown->id,
          Error{Code::forbidden,
                Certainty::not_applied,
                Retry::never,
                "access",
                "this key has not the scope " + std::string(name_of(needed))}};
}

/// A bucket that holds what may come in a second and fills at that rate.
bool KeyRing::take_one(Known& key) const {
  if (!key.record.rate_per_second) return true;
  const double rate = *key.record.rate_per_second;
  const Instant now = clock_.now();
  const double passed = std::chrono::duration<double>(now - key.counted_at).count();
  key.left = std::min(rate, key.left + passed * rate);
  key.counted_at = now;
  if (key.left < 1) return false;
  key.left -= 1;
  return true;
}

/// Where the store does not answer, what was read before stays good.
void KeyRing::read_again() {
  auto records = table_.list();
  if (!records) return;
  std::map<std::string, Known, std::less<>> keys;
  for (KeyRecord& record : *records) {
    Known key;
    key.left = record.rate_per_second.value_or(0);
    key.counted_at = clock_.now();
    key.record = std::move(record);
    std::string id = key.record.id;
    keys.emplace(std::move(id), std::move(key));
  }
  const MutexLock lock(mutex_);
  for (auto& [id, key] : keys) {
    const auto before = keys_.find(id);
    if (before == keys_.end()) continue;
    key.left = before->second.left;
    key.counted_at = before->second.counted_at;
  }
  keys_ = std::move(keys);
}

void KeyRing::run() {
  name_this_thread("mizan-keys");
  MutexLock lock(mutex_);
  while (!closing_) {
    wake_.wait_for(lock, interval);
    if (closing_) return;
    lock.unlock();
    read_again();
    lock.lock();
  }
}

}  // namespace mizan::http
