#include "base/text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/context.hpp"
#include "cli/table.hpp"
#include "json/shapes.hpp"
#include "webhook/administration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mizan::cli {
namespace {

using webhook::Administration;
using webhook::DeliveryRecord;
using webhook::Webhook;

constexpr std::size_t page_size = 1'000;

/// Runs `use(webhooks)`, which answers an exit status, on the webhooks of the settings' store.
template <class Use>
int with_webhooks(Context& context, Access access, Use use) {
  auto open = context.open_webhooks(access);
  if (!open) return context.fail(open.error());
  return use(*open->administration);
}

int fail_unknown(Context& context, std::string_view id) {
  return context.fail(bad_argument(
      "ID",
      fmt::format("there is no webhook {}; mizan webhook list names them", escape_for_log(id))));
}

void show(Context& context, const Webhook& webhook) {
  if (context.json()) return context.line(webhook::to_object(webhook).text());
  context.line(fmt::format("{}  {}", webhook.id, webhook.url));
  context.line(fmt::format(
      "  events    {}",
      webhook.types.empty() ? "all" : fmt::format("{}", fmt::join(webhook.types, ", "))));
  context.line(fmt::format("  secrets   {}", webhook.secrets.size()));
  context.line(fmt::format("  created   {}", to_rfc3339(webhook.created_at)));
  context.line(webhook.is_enabled
                   ? "  status    enabled"
                   : fmt::format("  status    disabled: {}", webhook.disabled_because));
}

/// With its newest secret: shown once, to whoever made it.
void show_secret(Context& context, const Webhook& webhook) {
  if (context.json()) {
    json::Object object = webhook::to_object(webhook);
    object.set("secret", webhook.secrets.front());
    return context.line(object.text());
  }
  show(context, webhook);
  context.line(fmt::format("  secret    {}", webhook.secrets.front()));
  context.note("the secret is not shown again");
}

/// Nobody can tell a repeat from another webhook.
Error perhaps_created(Error error) {
  if (error.certainty != Certainty::unknown) return error;
  error.retry = Retry::never;
  error.detail +=
      "; it may be there: `mizan webhook list` tells, and to create it again makes a second one";
  return error;
}

int run_create(const Arguments& arguments, Context& context) {
  webhook::NewWebhook wanted;
  wanted.url = arguments.require("URL");
  wanted.types = arguments.all("--type");
  wanted.secret = arguments.find("--secret");
  wanted.from_beginning = arguments.has("--from-beginning");
  return with_webhooks(context, Access::write, [&](Administration& webhooks) {
    const auto webhook = webhooks.create(wanted);
    if (!webhook) return context.fail(perhaps_created(webhook.error()));
    show_secret(context, *webhook);
    return 0;
  });
}

int run_list(const Arguments& /*arguments*/, Context& context) {
  return with_webhooks(context, Access::read, [&](Administration& webhooks) {
    const auto all = webhooks.list();
    if (!all) return context.fail(all.error());
    for (const Webhook& webhook : *all) show(context, webhook);
    if (!context.json() && all->empty()) context.note("no webhooks");
    return 0;
  });
}

/// A command that changes the webhook of its ID, or reads it, and shows it afterwards.
template <class Change>
int run_change(const Arguments& arguments, Context& context, Access access, Change change) {
  const std::string id = arguments.require("ID");
  return with_webhooks(context, access, [&](Administration& webhooks) {
    const Result<std::optional<Webhook>> webhook = change(webhooks, id);
    if (!webhook) return context.fail(webhook.error());
    if (!*webhook) return fail_unknown(context, id);
    show(context, **webhook);
    return 0;
  });
}

int run_show(const Arguments& arguments, Context& context) {
  return run_change(arguments, context, Access::read, [](Administration& webhooks, const auto& id) {
    return webhooks.find(id);
  });
}

int run_enable(const Arguments& arguments, Context& context) {
  return run_change(
      arguments, context, Access::write, [](Administration& webhooks, const auto& id) {
        return webhooks.enable(id);
      });
}

int run_disable(const Arguments& arguments, Context& context) {
  return run_change(
      arguments, context, Access::write, [](Administration& webhooks, const auto& id) {
        return webhooks.disable(id, "somebody disabled it");
      });
}

int run_rotate(const Arguments& arguments, Context& context) {
  const std::string id = arguments.require("ID");
  return with_webhooks(context, Access::write, [&](Administration& webhooks) {
    const auto webhook =
        webhooks.rotate(id, arguments.find("--secret"), !arguments.has("--drop-old"));
    if (!webhook) return context.fail(webhook.error());
    if (!*webhook) return fail_unknown(context, id);
    show_secret(context, **webhook);
    return 0;
  });
}

int run_delete(const Arguments& arguments, Context& context) {
  const std::string id = arguments.require("ID");
  return with_webhooks(context, Access::write, [&](Administration& webhooks) {
    const auto removed = webhooks.remove(id);
    if (!removed) return context.fail(removed.error());
    if (!*removed) return fail_unknown(context, id);
    if (context.json()) context.line(json::Object().set("id", id).set("deleted", true).text());
    return 0;
  });
}

void show(Context& context, const DeliveryRecord& record) {
  if (context.json()) return context.line(webhook::to_object(record).text());
  const auto since = record.first_failed_at ? to_rfc3339(*record.first_failed_at) : std::string();
  context.line(fmt::format("{}  {} attempts since {}: {}",
                           record.event,
                           record.attempts,
                           since,
                           escape_for_log(record.last_error)));
}

int run_list_dead(const Arguments& arguments, Context& context) {
  const std::string id = arguments.require("ID");
  return with_webhooks(context, Access::read, [&](Administration& webhooks) {
    const auto known = webhooks.find(id);
    if (!known) return context.fail(known.error());
    if (!*known) return fail_unknown(context, id);
    EventPlace after;
    for (;;) {
      const auto records = webhooks.list_dead(id, after, page_size);
      if (!records) return context.fail(records.error());
      for (const DeliveryRecord& record : *records) show(context, record);
      if (records->size() < page_size) return 0;
      after = records->back().place;
    }
  });
}

int run_retry_dead(const Arguments& arguments, Context& context) {
  const std::string id = arguments.require("ID");
  const auto event = arguments.find("EVENT");
  return with_webhooks(context, Access::write, [&](Administration& webhooks) {
    const auto known = webhooks.find(id);
    if (!known) return context.fail(known.error());
    if (!*known) return fail_unknown(context, id);
    const auto count =
        webhooks.retry_dead(id, event ? std::optional<std::string_view>(*event) : std::nullopt);
    if (!count) return context.fail(count.error());
    if (context.json()) {
      context.line(json::Object().set("retried", *count).text());
    } else {
      context.line(fmt::format("{} deliveries are tried again", *count));
    }
    return 0;
  });
}

Command command_of(std::string name, std::string summary, int (*run)(const Arguments&, Context&)) {
  Command command;
  command.name = std::move(name);
  command.summary = std::move(summary);
  command.arguments = {{.name = "ID", .help = "The webhook, as it was named when it was created"}};
  command.examples = {{"mizan webhook " + command.name + " wh_0195a7", command.summary}};
  command.run = run;
  return command;
}

Command create_command() {
  Command command =
      command_of("create", "Have events sent to a URL from now on; prints the secret", run_create);
  command.arguments = {
      {.name = "URL", .help = "Where to: https://…, or http:// in a network of yours"}};
  command.options = {
      {.name = "--type",
       .values = {"TYPE"},
       .help = "Only events of this type, such as operation.applied; all by default",
       .repeatable = true},
      {.name = "--secret",
       .values = {"SECRET"},
       .help = "A secret of yours instead of a new one: whsec_ and the base64 of 24 to 64 bytes"},
      {.name = "--from-beginning", .help = "Send the events that are there already, too"}};
  command.examples = {
      {"mizan webhook create https://shop.example/hooks/mizan", "Tell the shop of what happens"}};
  return command;
}

Command rotate_command() {
  Command command = command_of(
      "rotate", "Give a webhook a new secret; old ones go on signing beside it", run_rotate);
  command.options = {
      {.name = "--secret", .values = {"SECRET"}, .help = "A secret of yours instead of a new one"},
      {.name = "--drop-old", .help = "No old secret signs from now on"}};
  return command;
}

Command dead_command() {
  Command command;
  command.name = "dead";
  command.summary = "Deliveries that were given up";
  Command retry = command_of("retry", "Deliver them after all", run_retry_dead);
  retry.arguments.push_back(
      {.name = "EVENT", .help = "Only the one of this event; all by default", .required = false});
  Command list = command_of("list", "List them, oldest event first", run_list_dead);
  list.examples = {{"mizan webhook dead list wh_0195a7", "What the receiver never took"}};
  retry.examples = {{"mizan webhook dead retry wh_0195a7", "Send all of them once more"}};
  command.children = {std::move(list), std::move(retry)};
  return command;
}

}  // namespace

Command webhook_command() {
  Command command;
  command.name = "webhook";
  command.summary = "Have events sent to programs elsewhere, signed";
  command.description =
      "mizan serve sends them. While a server has the file of a sqlite: store, name the server: "
      "--store http://127.0.0.1:7780";
  Command list = command_of("list", "List the webhooks", run_list);
  list.arguments.clear();
  list.examples = {{"mizan webhook list", "All of them"}};
  command.children = {
      create_command(),
      std::move(list),
      command_of("show", "Show a webhook", run_show),
      rotate_command(),
      command_of("disable", "Stop sending; what happens is sent later", run_disable),
      command_of("enable", "Go on sending where it stopped", run_enable),
      command_of("delete", "Forget a webhook and its deliveries", run_delete),
      dead_command()};
  return command;
}

}  // namespace mizan::cli
