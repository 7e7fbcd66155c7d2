#pragma once

#include "mizan/result.hpp"

#include "cli/context.hpp"
#include "cli/settings.hpp"

#include <string_view>

namespace mizan::cli {

/// `http://…` or `https://…`.
[[nodiscard]] bool is_server_url(std::string_view url);

/// Where the server is and how to speak to it, out of the settings and the environment. The key is
/// MIZAN_KEY or what the key file holds, and never an option. A setting of the ledger itself that
/// was stated as an option is an error: with a server it is the server's. `request_id` is left
/// empty.
[[nodiscard]] Result<RemotePlace> read_remote_place(const Settings& settings,
                                                    const Environment& environment,
                                                    RemoteUse use);

/// The command needs the database itself.
[[nodiscard]] Error server_in_place_of_store(std::string_view url);

}  // namespace mizan::cli
