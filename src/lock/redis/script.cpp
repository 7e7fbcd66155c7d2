#include "lock/redis/script.hpp"

#include "lock/redis/redis_lua.hpp"

#include <string>
#include <utility>
#include <vector>

namespace mizan::redis {

const Script acquire_script{"acquire", redis_lua::acquire, redis_lua::acquire_sha1};
const Script renew_script{"renew", redis_lua::renew, redis_lua::renew_sha1};
const Script release_script{"release", redis_lua::release, redis_lua::release_sha1};
const Script install_epoch_script{
    "install_epoch", redis_lua::install_epoch, redis_lua::install_epoch_sha1};

Result<Reply> run_script(Servers& servers, const Script& script, const ScriptCall& call) {
  const std::string key_count = std::to_string(call.keys.size());
  std::vector<std::string_view> words{"EVALSHA", script.sha1, key_count};
  words.insert(words.end(), call.keys.begin(), call.keys.end());
  words.insert(words.end(), call.arguments.begin(), call.arguments.end());
  auto reply = servers.ask(call.slot, words, call.deadline);
  if (reply && reply->is_error() && reply->error_code() == "NOSCRIPT") {
    // It was not run, so sending it again is no repetition.
    words[0] = "EVAL";
    words[1] = script.text;
    reply = servers.ask(call.slot, words, call.deadline);
  }
  if (reply && reply->is_error()) return to_error(script.name, *reply);
  return reply;
}

}  // namespace mizan::redis
