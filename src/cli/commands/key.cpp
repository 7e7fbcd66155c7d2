#include "mizan/key_table.hpp"

#include "base/api_key.hpp"
#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "cli/remote_settings.hpp"
#include "cli/report.hpp"
#include "json/value.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan::cli {
namespace {

constexpr std::array<std::pair<std::string_view, std::uint8_t>, 3> scope_bits{
    {{"read", std::uint8_t{1}}, {"write", std::uint8_t{2}}, {"admin", std::uint8_t{4}}}};
constexpr std::size_t name_size_max = 64;

std::vector<std::string> scope_names(std::uint8_t scopes) {
  std::vector<std::string> names;
  for (const auto& [name, bit] : scope_bits) {
    if ((scopes & bit) != 0) names.emplace_back(name);
  }
  return names;
}

std::uint8_t read_scopes(const std::vector<std::string>& names) {
  std::uint8_t scopes = 0;
  for (const auto& [name, bit] : scope_bits) {
    const bool is_named = std::find(names.begin(), names.end(), name) != names.end();
    if (is_named) scopes = static_cast<std::uint8_t>(scopes | bit);
  }
  constexpr std::uint8_t usual = 3;
  return scopes == 0 ? usual : scopes;
}

/// A key that could make keys would be as good as the database itself.
Result<std::unique_ptr<Store>> open_keys(const Context& context, Access access) {
  const std::string& url = context.settings().text("store");
  if (!is_server_url(url)) return context.open_store(access);
  return invalid_request(
      "/store",
      fmt::format("{} is a running server, and nobody makes, lists or ends keys over HTTP: run "
                  "mizan key where the server runs, with the server's own --store; with a sqlite: "
                  "store, which has one owner at a time, while the server is stopped",
                  without_password(url)));
}

Result<KeyTable*> keys_of(Store& store) {
  KeyTable* const keys = store.keys();
  if (keys != nullptr) return keys;
  return invalid_request("/store", "this store keeps no keys");
}

json::Object key_object(const KeyRecord& key) {
  json::Array scopes;
  for (const std::string& name : scope_names(key.scopes)) scopes.add(name);
  json::Object object;
  object.set("id", key.id)
      .set("name", key.name)
      .set("scopes", scopes)
      .set("rate_per_second", key.rate_per_second)
      .set("created_at", key.created_at)
      .set("revoked_at", key.revoked_at);
  return object;
}

Result<KeyRecord> read_key(const Arguments& arguments, Context& context) {
  KeyRecord key;
  key.name = arguments.require("NAME");
  if (key.name.empty() || key.name.size() > name_size_max || !is_valid_utf8(key.name)) {
    return bad_argument("NAME", "a name is 1 to 64 bytes of text");
  }
  key.scopes = read_scopes(arguments.all("--scope"));
  key.created_at = context.clock().wall_now();
  if (const auto text = arguments.find("--rate")) {
    constexpr std::uint64_t rate_max = 1'000'000;
    const auto rate = parse_unsigned(*text);
    if (!rate || *rate == 0 || *rate > rate_max) {
      return bad_argument("--rate", "--rate takes requests per second, 1 to 1000000");
    }
    key.rate_per_second = static_cast<std::uint32_t>(*rate);
  }
  return key;
}

int run_create(const Arguments& arguments, Context& context) {
  auto key = read_key(arguments, context);
  if (!key) return context.fail(key.error());
  auto store = open_keys(context, Access::write);
  if (!store) return context.fail(store.error());
  auto keys = keys_of(**store);
  if (!keys) return context.fail(keys.error());
  const ApiKey made = make_api_key(context.wiring().random);
  key->id = made.id;
  key->hash = made.hash;
  if (auto added = (*keys)->add(*key); !added) return context.fail(added.error());
  if (context.json()) {
    context.line(key_object(*key).set("key", made.text).text());
    return 0;
  }
  context.line(made.text);
  context.note(fmt::format("key {} ({}); it is shown this once, and only its hash is kept",
                           key->id,
                           fmt::join(scope_names(key->scopes), ", ")));
  return 0;
}

int run_list(const Arguments&, Context& context) {
  auto store = open_keys(context, Access::read);
  if (!store) return context.fail(store.error());
  auto keys = keys_of(**store);
  if (!keys) return context.fail(keys.error());
  auto all = (*keys)->list();
  if (!all) return context.fail(all.error());
  Table table(context.out(), context.out_style(), {{"id"}, {"name"}, {"scopes"}, {"state"}});
  for (const KeyRecord& key : *all) {
    if (context.json()) {
      context.line(key_object(key).text());
      continue;
    }
    table.add({key.id,
               safe(key.name),
               fmt::format("{}", fmt::join(scope_names(key.scopes), ", ")),
               key.revoked_at ? "revoked " + to_rfc3339(*key.revoked_at) : "good"});
  }
  table.print();
  return 0;
}

int run_revoke(const Arguments& arguments, Context& context) {
  auto store = open_keys(context, Access::write);
  if (!store) return context.fail(store.error());
  auto keys = keys_of(**store);
  if (!keys) return context.fail(keys.error());
  const std::string id = arguments.require("ID");
  auto revoked = (*keys)->revoke(id, context.clock().wall_now());
  if (!revoked) return context.fail(revoked.error());
  if (!*revoked) {
    return context.fail(bad_argument("ID", "there is no such key, or it was revoked before"));
  }
  context.line(context.json() ? json::Object().set("id", id).set("revoked", true).text()
                              : "revoked; servers notice within two seconds");
  return 0;
}

}  // namespace

Command key_command() {
  Command command;
  command.name = "key";
  command.summary = "Make, list and revoke the keys of `mizan serve`";
  command.description =
      "A key goes into the header `Authorization: Bearer KEY`. Only its hash is kept. A file has "
      "one "
      "owner at a time: make keys for it before the server runs.";
  command.children = {
      {.name = "create",
       .summary = "Make a key and print it, once",
       .arguments = {{.name = "NAME", .help = "Whose it is, for people; 1 to 64 bytes"}},
       .options = {{.name = "--scope",
                    .values = {"SCOPE"},
                    .help = "What it allows; read and write where none is stated",
                    .repeatable = true,
                    .choices = {"read", "write", "admin"}},
                   {.name = "--rate",
                    .values = {"N"},
                    .help = "Requests per second, 1 to 1000000; default no limit"}},
       .examples = {{"mizan key create shop --rate 500", "For a service that moves money"},
                    {"mizan key create dashboard --scope read", "For one that only looks"}},
       .run = run_create},
      {.name = "list",
       .summary = "All keys, without their secrets",
       .examples = {{"mizan key list", "Which keys are there?"}},
       .run = run_list},
      {.name = "revoke",
       .summary = "End a key",
       .arguments = {{.name = "ID", .help = "As `key list` shows it"}},
       .examples = {{"mizan key revoke k3v9qx20ab7d", "It is refused from now on"}},
       .run = run_revoke}};
  return command;
}

}  // namespace mizan::cli
