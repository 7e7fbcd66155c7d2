#include "http_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mizan::integration {
namespace {

using ::testing::HasSubstr;

class HttpRoutes : public ::testing::Test {
 protected:
  void SetUp() override { server_.make_ledger(); }

  std::string balance(const std::string& wallet) const {
    return server_.get("/v1/wallets/" + wallet).body.value("balance", "");
  }

  HttpServer server_;
};

json transfer(const std::string& amount) {
  return {{"from", "alice"}, {"to", "bob"}, {"amount", amount}};
}

TEST_F(HttpRoutes, a_transfer_is_applied_once_however_often_it_is_sent) {
  const Reply first = server_.post("/v1/transfers", transfer("100"), "t-1");
  EXPECT_EQ(first.status, 201);
  EXPECT_EQ(first.body["outcome"], "applied");
  EXPECT_EQ(first.body["legs"][0]["from_balance"], "9900");
  EXPECT_EQ(first.body["legs"][0]["to_version"], 1);
  EXPECT_TRUE(first.raw.header("idempotent-replayed").empty());

  Reply again = server_.post("/v1/transfers", transfer("100"), "t-1");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.raw.header("idempotent-replayed"), "true");
  EXPECT_EQ(again.body["outcome"], "already_applied");
  again.body["outcome"] = "applied";
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(balance("bob"), "100");

  const Reply other = server_.post("/v1/transfers", transfer("101"), "t-1");
  EXPECT_EQ(other.status, 422);
  EXPECT_EQ(other.code(), "operation_mismatch");
  EXPECT_EQ(balance("bob"), "100");
}

TEST_F(HttpRoutes, the_operation_id_stands_in_the_header_or_in_the_body) {
  json body = transfer("1");
  const Reply neither = server_.post("/v1/transfers", body);
  EXPECT_EQ(neither.status, 400);
  EXPECT_EQ(neither.body["errors"][0]["pointer"], "/id");
  body["id"] = "in-body";
  EXPECT_EQ(server_.post("/v1/transfers", body).status, 201);
  EXPECT_EQ(server_.post("/v1/transfers", body, "in-body").status, 200);
  EXPECT_EQ(server_.post("/v1/transfers", body, "other").status, 400);
  EXPECT_EQ(server_.post("/v1/transfers", transfer("1"), "a b").status, 400);
  EXPECT_EQ(balance("bob"), "1");
}

TEST_F(HttpRoutes, every_refusal_has_the_status_of_its_outcome) {
  server_.post("/v1/wallets", {{"id", "dollars"}, {"currency", "USD"}});
  server_.post("/v1/wallets", {{"id", "frozen"}, {"currency", "EUR"}});
  server_.send({.method = "PATCH",
                .target = "/v1/wallets/frozen",
                .body = R"({"status":"frozen"})",
                .headers = {}});

  struct Case {
    std::string target;
    json body;
    int status = 0;
    std::string code;
  };

  const json condition = {{{"wallet", "alice"}, {"version", 99}}};
  json conditional = transfer("1");
  conditional["conditions"] = condition;
  const std::vector<Case> cases{
      {"/v1/transfers", transfer("999999"), 422, "insufficient_funds"},
      {"/v1/transfers", {{"from", "alice"}, {"to", "x"}, {"amount", "1"}}, 404, "wallet_not_found"},
      {"/v1/transfers", {{"from", "alice"}, {"to", "alice"}, {"amount", "1"}}, 422, "same_wallet"},
      {"/v1/transfers",
       {{"from", "alice"}, {"to", "dollars"}, {"amount", "1"}},
       422,
       "currency_mismatch"},
      {"/v1/transfers",
       {{"from", "alice"}, {"to", "frozen"}, {"amount", "1"}},
       422,
       "wallet_frozen"},
      {"/v1/transfers", transfer("0"), 422, "invalid_amount"},
      {"/v1/transfers", conditional, 412, "condition_failed"},
      {"/v1/holds/none/capture", json::object(), 404, "hold_not_found"},
      {"/v1/operations/none/reverse", json::object(), 404, "operation_not_found"},
      {"/v1/transfers", {{"from", "alice"}}, 400, "invalid_request"}};
  for (const Case& each : cases) {
    const Reply reply = server_.post(each.target, each.body, "refused");
    EXPECT_EQ(reply.status, each.status) << reply.raw.body;
    EXPECT_EQ(reply.code(), each.code) << reply.raw.body;
    EXPECT_EQ(reply.body["applied"], "no");
    EXPECT_EQ(reply.body["status"], each.status);
    EXPECT_EQ(reply.raw.header("content-type"), "application/problem+json");
    EXPECT_EQ(reply.body["request_id"], reply.raw.header("x-request-id"));
  }
  EXPECT_EQ(balance("alice"), "10000");
}

std::string blamed(const json& problem) {
  return problem.contains("errors") ? problem["errors"][0].value("pointer", "") : "nothing";
}

TEST_F(HttpRoutes, a_refusal_names_the_field_that_was_sent) {
  const auto blame = [this](const std::string& target, const json& body) {
    return blamed(server_.post(target, body, "op").body);
  };
  const json leg = transfer("20000");
  EXPECT_EQ(blame("/v1/transfers", leg), "/amount");
  EXPECT_EQ(blame("/v1/transfers", {{"legs", {leg}}}), "/legs/0/amount");
  EXPECT_EQ(blame("/v1/transfers", {{"legs", {transfer("1"), leg}}}), "/legs/1/amount");
  json with_dry_run = leg;
  with_dry_run["dry_run"] = true;
  EXPECT_EQ(blame("/v1/transfers", with_dry_run), "/amount");
  json conditions = transfer("1");
  conditions["conditions"] = {{{"wallet", "alice"}, {"version", 1}},
                              {{"wallet", "bob"}, {"min_balance", "0"}, {"min_available", "1"}}};
  EXPECT_EQ(blame("/v1/transfers", conditions), "/conditions/1/min_available");
  json twice = transfer("1");
  twice["conditions"] = {{{"wallet", "bob"}, {"version", 5}, {"min_balance", "9"}},
                         {{"wallet", "alice"}, {"version", 1}},
                         {{"wallet", "bob"}, {"version", 6}}};
  const json errors = server_.post("/v1/transfers", twice, "op").body["errors"];
  std::vector<std::string> unmet;
  for (const json& error : errors) unmet.push_back(error.value("pointer", ""));
  EXPECT_THAT(unmet,
              ::testing::ElementsAre(
                  "/conditions/0/version", "/conditions/0/min_balance", "/conditions/2/version"));
  json noted = transfer("1");
  noted["metadata"] = {{"good", "1"}, {"bad/key", "2"}};
  EXPECT_EQ(blame("/v1/transfers", noted), "/metadata/bad~1key");
  EXPECT_EQ(blame("/v1/holds/none/void", {}), "/hold");
  EXPECT_EQ(blame("/v1/holds/a%20b/void", {}), "/hold");
  EXPECT_EQ(blame("/v1/operations/none/reverse", {}), "/operation");
  EXPECT_EQ(blame("/v1/operations/a%20b/reverse", {}), "/operation");
  const json unlimited{{"id", "new"}, {"currency", "EUR"}, {"min_balance", "none"}};
  const json refused = server_.post("/v1/wallets", unlimited).body;
  EXPECT_EQ(blamed(refused), "/min_balance");
  EXPECT_THAT(refused.value("detail", ""), HasSubstr("null"));
}

TEST_F(HttpRoutes, what_is_not_there_is_named_by_its_place_in_the_path) {
  for (const std::string path : {"wallets/none",
                                 "wallets/none/entries",
                                 "wallets/none/balance",
                                 "wallets/@world%2FNONE",
                                 "operations/none",
                                 "holds/none"}) {
    const Reply reply = server_.get("/v1/" + path);
    EXPECT_EQ(reply.status, 404) << path;
    EXPECT_EQ(blamed(reply.body), "/id") << path;
  }
}

TEST(HttpRefusalsThatStay, are_told_again_to_the_letter_as_the_request_spells_its_fields) {
  HttpServer server({"--refusals", "final"});
  server.make_ledger();
  json conditions = transfer("1");
  conditions["conditions"] = {{{"wallet", "bob"}, {"version", 0}},
                              {{"wallet", "bob"}, {"version", 5}, {"min_balance", "9"}}};
  const json poor = transfer("20000");
  const std::vector<std::pair<json, std::string>> cases{
      {poor, "/amount"},
      {{{"legs", json::array({poor})}}, "/legs/0/amount"},
      {conditions, "/conditions/1/version"}};
  int number = 0;
  for (const auto& [body, pointer] : cases) {
    const std::string id = "op-" + std::to_string(++number);
    Reply first = server.post("/v1/transfers", body, id);
    Reply again = server.post("/v1/transfers", body, id);
    EXPECT_EQ(blamed(first.body), pointer);
    EXPECT_EQ(again.raw.header("idempotent-replayed"), "true");
    first.body.erase("request_id");
    again.body.erase("request_id");
    EXPECT_EQ(again.body, first.body);
  }
  EXPECT_EQ(blamed(server.post("/v1/transfers", {{"legs", json::array({poor})}}, "op-1").body),
            "/legs/0/amount")
      << "the same content, spelt otherwise";
}

TEST_F(HttpRoutes, a_stale_fence_is_named_among_the_others) {
  const auto fenced = [](const json& fence) {
    json body = transfer("1");
    body["fence"] = fence;
    return body;
  };
  const json door{{"resource", "door"}, {"token", 5}};
  const json gate{{"resource", "gate"}, {"token", 1}};
  ASSERT_EQ(server_.post("/v1/transfers", fenced(door), "earlier").status, 201);
  for (const std::string strategy : {"batched", "atomic"}) {
    const auto blame = [&](const json& fence) {
      json body = fenced(fence);
      body["strategy"] = strategy;
      return blamed(server_.post("/v1/transfers", body, "later").body);
    };
    EXPECT_EQ(blame(door), "/fence/token");
    EXPECT_EQ(blame(json::array({door})), "/fence/0/token");
    EXPECT_EQ(blame(json::array({gate, door})), "/fence/1/token");
  }
}

TEST(HttpRoutesWithLock, a_stale_fence_is_counted_among_those_that_were_sent) {
  HttpServer server({"--lock", "store:"});
  server.make_ledger();
  const json door{{"resource", "door"}, {"token", 5}};
  const json gate{{"resource", "gate"}, {"token", 1}};
  json body = transfer("1");
  body["fence"] = door;
  ASSERT_EQ(server.post("/v1/transfers", body, "earlier").status, 201);
  for (const std::string strategy : {"batched", "atomic"}) {
    body["strategy"] = strategy;
    const std::vector<std::pair<json, std::string>> cases{
        {door, "/fence/token"},
        {json::array({door}), "/fence/0/token"},
        {json::array({gate, door}), "/fence/1/token"}};
    for (const auto& [fence, pointer] : cases) {
      body["fence"] = fence;
      EXPECT_EQ(blamed(server.post("/v1/transfers", body, "later").body), pointer) << strategy;
    }
  }
}

TEST_F(HttpRoutes, a_refused_item_of_a_batch_says_which_one_it_is) {
  json malformed{{"id", "m"}, {"type", "deposit"}, {"wallet", "alice"}, {"amount", "x"}};
  json untyped{{"id", "u"}, {"wallet", "alice"}};
  json poor = transfer("20000");
  poor["id"] = "p";
  poor["type"] = "transfer";
  const Reply reply =
      server_.post("/v1/batch", {{"operations", {malformed, untyped, poor, json::object()}}});
  ASSERT_EQ(reply.status, 200);
  const json& results = reply.body["results"];
  EXPECT_EQ(results[0].value("operation", ""), "m");
  EXPECT_EQ(blamed(results[0]), "/operations/0/amount");
  EXPECT_EQ(results[1].value("operation", ""), "u");
  EXPECT_EQ(blamed(results[1]), "/operations/1/type");
  EXPECT_EQ(results[2].value("operation", ""), "p");
  EXPECT_EQ(blamed(results[2]), "/operations/2/amount");
  EXPECT_FALSE(results[3].contains("operation"));
}

TEST_F(HttpRoutes, a_batch_of_malformed_items_only_is_answered_item_by_item) {
  const Reply reply = server_.post("/v1/batch", {{"operations", {5, json::object()}}});
  ASSERT_EQ(reply.status, 200);
  ASSERT_EQ(reply.body["results"].size(), 2U);
  for (const json& result : reply.body["results"]) {
    EXPECT_EQ(result.value("code", ""), "invalid_request") << result;
  }
}

TEST_F(HttpRoutes, a_fence_of_an_older_holder_is_refused) {
  json body = transfer("1");
  body["fence"] = {{"resource", "job"}, {"token", 7}};
  EXPECT_EQ(server_.post("/v1/transfers", body, "new").status, 201);
  body["fence"]["token"] = 6;
  const Reply stale = server_.post("/v1/transfers", body, "old");
  EXPECT_EQ(stale.status, 409);
  EXPECT_EQ(stale.code(), "stale_fence");
  EXPECT_EQ(stale.body["newest_token"], 7);
}

TEST_F(HttpRoutes, a_dry_run_keeps_nothing) {
  json body = transfer("5");
  body["dry_run"] = true;
  const Reply reply = server_.post("/v1/transfers", body, "dry");
  EXPECT_EQ(reply.status, 201);
  EXPECT_EQ(reply.body["legs"][0]["to_balance"], "5");
  EXPECT_EQ(balance("bob"), "0");
  EXPECT_EQ(server_.get("/v1/operations/dry").status, 404);
}

TEST_F(HttpRoutes, holds_are_made_captured_in_parts_and_voided) {
  const Reply made =
      server_.post("/v1/holds",
                   {{"wallet", "alice"}, {"amount", "50"}, {"to", "bob"}, {"expires_in", "1h"}},
                   "h-1");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.body["hold"]["remaining"], "50");
  EXPECT_EQ(server_.get("/v1/wallets/alice").body["available"], "9950");
  EXPECT_EQ(server_.post("/v1/holds/h-1/capture", {{"amount", "20"}}, "c-1").status, 201);
  EXPECT_EQ(server_.get("/v1/holds/h-1").body["remaining"], "30");
  EXPECT_EQ(server_.post("/v1/holds/h-1/void", nullptr, "v-1").status, 201);
  EXPECT_EQ(server_.get("/v1/holds/h-1").body["status"], "voided");
  EXPECT_EQ(server_.post("/v1/holds/h-1/void", nullptr, "v-2").code(), "hold_not_open");
  EXPECT_EQ(balance("bob"), "20");
  EXPECT_EQ(server_.get("/v1/holds/none").status, 404);
}

TEST_F(HttpRoutes, an_operation_is_reversed_once) {
  server_.post("/v1/transfers", transfer("100"), "t-1");
  const Reply reversed = server_.post("/v1/operations/t-1/reverse", nullptr, "r-1");
  EXPECT_EQ(reversed.status, 201);
  EXPECT_EQ(reversed.body["reverses"], "t-1");
  EXPECT_EQ(server_.post("/v1/operations/t-1/reverse", nullptr, "r-2").code(), "already_reversed");
  EXPECT_EQ(server_.get("/v1/operations/t-1").body["reversed_by"], "r-1");
  EXPECT_EQ(balance("alice"), "10000");
}

TEST_F(HttpRoutes, a_wallet_that_exists_is_answered_or_named_as_another_one) {
  EXPECT_EQ(server_.post("/v1/wallets", {{"id", "bob"}, {"currency", "EUR"}}).status, 200);
  const Reply other = server_.post("/v1/wallets", {{"id", "bob"}, {"currency", "USD"}});
  EXPECT_EQ(other.status, 409);
  EXPECT_EQ(other.code(), "wallet_exists");
  EXPECT_EQ(server_.post("/v1/wallets", {{"id", "@mine"}, {"currency", "EUR"}}).status, 400);
}

TEST_F(HttpRoutes, ids_in_paths_are_percent_encoded) {
  EXPECT_EQ(server_.post("/v1/wallets", {{"id", "a/b:c@d"}, {"currency", "EUR"}}).status, 201);
  EXPECT_EQ(server_.get("/v1/wallets/a%2Fb:c%40d").body["id"], "a/b:c@d");
  EXPECT_EQ(server_.get("/v1/wallets/%40world%2FEUR").body["balance"], "-10000");
  EXPECT_EQ(server_.get("/v1/wallets/a/b").status, 404);
  EXPECT_EQ(server_.get("/v1/wallets/a%2").status, 400);
  EXPECT_EQ(server_.get("/v1/wallets/none").code(), "wallet_not_found");
}

TEST_F(HttpRoutes, lists_are_paged_by_cursors_that_later_writes_do_not_move) {
  for (int i = 0; i < 5; ++i) {
    server_.post("/v1/transfers", transfer("1"), "p-" + std::to_string(i));
  }
  const Reply first = server_.get("/v1/wallets/alice/entries?limit=2");
  ASSERT_EQ(first.body["items"].size(), 2U);
  EXPECT_EQ(first.body["items"][0]["version"], 6);
  server_.post("/v1/transfers", transfer("1"), "later");
  const std::string cursor = first.body["next_cursor"];
  const Reply second = server_.get("/v1/wallets/alice/entries?limit=2&cursor=" + cursor);
  EXPECT_EQ(second.body["items"][0]["version"], 4);

  const Reply wallets = server_.get("/v1/wallets?limit=1");
  EXPECT_EQ(wallets.body["items"][0]["id"], "alice");
  const std::string after = wallets.body["next_cursor"];
  const Reply last = server_.get("/v1/wallets?limit=1&cursor=" + after);
  EXPECT_EQ(last.body["items"][0]["id"], "bob");
  EXPECT_TRUE(server_.get("/v1/wallets?limit=2").body["next_cursor"].is_null() ||
              server_.get("/v1/wallets?limit=3").body["next_cursor"].is_null());
  for (const char* query : {"?limit=0", "?limit=1001", "?limit=x", "?cursor=x", "?unknown=1"}) {
    EXPECT_EQ(server_.get("/v1/wallets" + std::string(query)).status, 400) << query;
  }
}

TEST_F(HttpRoutes, a_balance_is_found_at_a_version_and_at_a_time) {
  const Reply moved = server_.post("/v1/transfers", transfer("100"), "t-1");
  const std::string at = moved.body["applied_at"];
  const std::string wallet = "/v1/wallets/alice/balance";
  EXPECT_EQ(server_.get(wallet).body["balance"], "9900");
  EXPECT_EQ(server_.get(wallet + "?version=1").body["balance"], "10000");
  EXPECT_EQ(server_.get(wallet + "?version=0").body["balance"], "0");
  EXPECT_EQ(server_.get(wallet + "?at=" + at).body["balance"], "9900");
  EXPECT_EQ(server_.get(wallet + "?at=2020-01-01T00:00:00Z").body["balance"], "0");
  EXPECT_EQ(server_.get(wallet + "?version=99").status, 400);
  EXPECT_EQ(server_.get(wallet + "?at=yesterday").status, 400);
  EXPECT_EQ(server_.get(wallet + "?version=1&at=" + at).status, 400);
}

TEST_F(HttpRoutes, the_world_has_a_balance_and_no_history) {
  const Reply world = server_.get("/v1/wallets/@world%2FEUR");
  EXPECT_EQ(world.status, 200);
  EXPECT_EQ(world.body["balance"], "-10000");
  const Reply now = server_.get("/v1/wallets/@world%2FEUR/balance");
  EXPECT_EQ(now.status, 200);
  EXPECT_EQ(now.body,
            (json{{"wallet", "@world/EUR"},
                  {"currency", "EUR"},
                  {"exponent", 2},
                  {"balance", "-10000"},
                  {"version", nullptr},
                  {"at", nullptr}}));
  EXPECT_EQ(server_.get("/v1/wallets/@world%2FNONE/balance").code(), "wallet_not_found");
  EXPECT_EQ(server_.get("/v1/wallets/@fees/balance").code(), "wallet_not_found");
  for (const std::string what :
       {"entries", "balance?version=0", "balance?version=1", "balance?at=2026-03-01T12:00:00Z"}) {
    const Reply refused = server_.get("/v1/wallets/@world%2FEUR/" + what);
    EXPECT_EQ(refused.status, 400) << what;
    EXPECT_EQ(blamed(refused.body), "/id");
    EXPECT_EQ(server_.get("/v1/wallets/@fees/" + what).status, 404);
  }
}

TEST_F(HttpRoutes, what_asks_for_nothing_takes_no_parameters) {
  for (const std::string path : {"/livez", "/readyz", "/metrics", "/openapi.json"}) {
    EXPECT_EQ(server_.get(path + "?x").status, 400) << path;
  }
}

TEST_F(HttpRoutes, a_patch_changes_what_it_names_and_no_money) {
  const auto patch = [this](const json& body) {
    return server_.send(
        {.method = "PATCH", .target = "/v1/wallets/alice", .body = body.dump(), .headers = {}});
  };
  EXPECT_EQ(patch({{"min_balance", "-500"}}).body["min_balance"], "-500");
  EXPECT_EQ(patch({{"metadata", {{"k", "v"}}}}).body["metadata"]["k"], "v");
  EXPECT_EQ(patch({{"status", "frozen"}}).body["balance"], "10000");
  EXPECT_EQ(patch({{"balance", "1"}}).status, 400);
  EXPECT_EQ(patch(json::object()).status, 400);
  EXPECT_EQ(patch({{"status", "closed"}}).code(), "limit_exceeded");
}

TEST_F(HttpRoutes, a_batch_has_one_result_per_item_in_order) {
  const json operations = json::array({
      {{"id", "b-1"}, {"type", "transfer"}, {"from", "alice"}, {"to", "bob"}, {"amount", "5"}},
      {{"id", "b-2"}, {"type", "withdraw"}, {"wallet", "bob"}, {"amount", "900"}},
      {{"id", "b-3"}, {"type", "nonsense"}},
      {{"id", "b-4"}, {"type", "deposit"}, {"wallet", "bob"}, {"amount", 7}},
  });
  const Reply reply = server_.post("/v1/batch", {{"operations", operations}});
  ASSERT_EQ(reply.status, 200) << reply.raw.body;
  const json& results = reply.body["results"];
  ASSERT_EQ(results.size(), 4U);
  EXPECT_EQ(results[0]["outcome"], "applied");
  EXPECT_EQ(results[1]["code"], "insufficient_funds");
  EXPECT_EQ(results[1]["operation"], "b-2");
  EXPECT_EQ(results[2]["code"], "invalid_request");
  EXPECT_EQ(results[2]["errors"][0]["pointer"], "/operations/2/type");
  EXPECT_EQ(results[3]["outcome"], "applied");
  EXPECT_EQ(balance("bob"), "12");
}

TEST_F(HttpRoutes, an_atomic_batch_is_applied_as_a_whole_or_not_at_all) {
  json operations = json::array({
      {{"id", "a-1"}, {"type", "transfer"}, {"from", "alice"}, {"to", "bob"}, {"amount", "5"}},
      {{"id", "a-2"}, {"type", "withdraw"}, {"wallet", "bob"}, {"amount", "900"}},
  });
  const Reply refused = server_.post("/v1/batch", {{"operations", operations}, {"atomic", true}});
  ASSERT_EQ(refused.status, 200) << refused.raw.body;
  EXPECT_EQ(refused.body["results"][0]["code"], "insufficient_funds");
  EXPECT_EQ(refused.body["results"][1]["code"], "insufficient_funds");
  EXPECT_EQ(balance("bob"), "0");
  operations[1]["amount"] = "1.5";
  EXPECT_EQ(server_.post("/v1/batch", {{"operations", operations}, {"atomic", true}}).status, 400);
  operations[1]["amount"] = "5";
  const Reply done = server_.post("/v1/batch", {{"operations", operations}, {"atomic", true}});
  EXPECT_EQ(done.body["results"][1]["outcome"], "applied") << done.raw.body;
}

TEST_F(HttpRoutes, all_items_of_an_atomic_batch_name_the_one_that_was_refused) {
  const auto with_legs = [](const std::string& id, const json& legs) {
    return json{{"id", id}, {"type", "transfer"}, {"legs", legs}};
  };
  const json poor = transfer("20000");
  json plain = poor;
  plain["id"] = "p";
  plain["type"] = "transfer";
  const json done{{"id", "first"}, {"type", "deposit"}, {"wallet", "alice"}, {"amount", "10000"}};
  const json good{{"id", "g"}, {"type", "deposit"}, {"wallet", "bob"}, {"amount", "1"}};
  const json ghost{{"id", "n"}, {"type", "deposit"}, {"wallet", "ghost"}, {"amount", "1"}};
  const auto ask = [this](const json& operations) {
    const json body{{"operations", operations}, {"atomic", true}};
    return server_.post("/v1/batch", body).body["results"];
  };
  const std::vector<std::pair<json, std::string>> causes{
      {plain, "/operations/2/amount"},
      {with_legs("l", json::array({poor})), "/operations/2/legs/0/amount"},
      {with_legs("m", json::array({transfer("1"), poor})), "/operations/2/legs/1/amount"}};
  for (const auto& [cause, pointer] : causes) {
    const json spelt_otherwise = with_legs("o", json::array({transfer("1")}));
    const json results = ask(json::array({spelt_otherwise, done, cause, good, ghost}));
    for (const std::size_t i : {0U, 2U, 3U, 4U}) {
      EXPECT_EQ(results[i].value("code", ""), "insufficient_funds") << i;
      EXPECT_EQ(blamed(results[i]), pointer) << i;
    }
    EXPECT_EQ(results[0].value("operation", ""), "o");
    EXPECT_EQ(results[4].value("operation", ""), "n");
    EXPECT_EQ(results[1].value("outcome", ""), "already_applied");
  }
  EXPECT_EQ(balance("bob"), "0");
}

TEST_F(HttpRoutes, what_is_not_there_and_what_is_not_allowed) {
  EXPECT_EQ(server_.get("/v2/wallets").status, 404);
  EXPECT_EQ(server_.get("/").status, 404);
  const Reply method = server_.get("/v1/transfers");
  EXPECT_EQ(method.status, 405);
  EXPECT_EQ(method.raw.header("allow"), "POST");
  EXPECT_EQ(server_.send({.method = "PUT", .target = "/v1/wallets", .body = {}, .headers = {}})
                .raw.header("allow"),
            "GET, HEAD, POST");
  HttpClient client = server_.connect();
  const auto head = client.ask(
      {.method = "HEAD", .target = "/v1/wallets/alice", .body = {}, .headers = {}}, soon());
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 200);
  EXPECT_NE(head->header("content-length"), "0");
  // The next answer begins where the head ended.
  EXPECT_EQ(read_reply(client.ask({.target = "/livez", .body = {}, .headers = {}}, soon())).status,
            200);
}

TEST_F(HttpRoutes, bodies_that_are_not_strict_json_are_refused_with_the_field) {
  const std::string good = R"("from":"alice","to":"bob","amount":"1")";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"{" + good + ",\"extra\":1}", "/extra"},
      {"{" + good + ",\"amount\":\"1\"}", "/amount"},
      {R"({"from":"alice","to":"bob","amount":1.5})", "/amount"},
      {R"({"from":"alice","to":"bob","amount":1e3})", "/amount"},
      {R"({"from":"alice","to":"bob","amount":"9223372036854775808"})", "/amount"},
      {R"({"from":"alice","to":"bob","amount":)" + std::string(40, '9') + "}", "/amount"},
      {R"({"from":1,"to":"bob","amount":"1"})", "/from"},
      {"{\"from\":\"al\xffice\",\"to\":\"bob\",\"amount\":\"1\"}", ""},
      {"{" + good, ""},
      {"null", ""},
      {"", ""}};
  for (const auto& [body, pointer] : cases) {
    const Reply reply = server_.send({.method = "POST",
                                      .target = "/v1/transfers",
                                      .body = body,
                                      .headers = {{"Idempotency-Key", "strict"}}});
    EXPECT_EQ(reply.status, 400) << body;
    EXPECT_EQ(reply.body["errors"][0]["pointer"], pointer) << reply.raw.body;
  }
  const Reply deep = server_.send({.method = "POST",
                                   .target = "/v1/transfers",
                                   .body = std::string(100'000, '['),
                                   .headers = {{"Idempotency-Key", "strict"}}});
  EXPECT_EQ(deep.status, 400);
  EXPECT_EQ(deep.body["errors"][0]["code"], "too_deep");
  const Reply text = server_.send({.method = "POST",
                                   .target = "/v1/transfers",
                                   .body = "{" + good + "}",
                                   .headers = {{"Content-Type", "text/plain"}}});
  EXPECT_EQ(text.status, 415);
  EXPECT_EQ(balance("bob"), "0");
}

TEST_F(HttpRoutes, the_server_says_how_it_is_and_what_it_can_do) {
  EXPECT_EQ(server_.get("/livez").body["status"], "ok");
  EXPECT_EQ(server_.get("/readyz").body["status"], "ready");
  const Reply description = server_.get("/openapi.json");
  EXPECT_EQ(description.body["openapi"], "3.1.0");
  EXPECT_TRUE(description.body["paths"].contains("/v1/transfers"));
}

TEST_F(HttpRoutes, metrics_count_requests_by_route_and_name_no_ids) {
  server_.post("/v1/transfers", transfer("1"), "t");
  server_.post("/v1/transfers", transfer("1"), "t");
  server_.get("/v1/wallets/nobody-here");
  const Reply metrics = server_.get("/metrics");
  EXPECT_EQ(metrics.status, 200);
  EXPECT_THAT(metrics.raw.header("content-type"), ::testing::StartsWith("text/plain"));
  const std::string& text = metrics.raw.body;
  EXPECT_THAT(text,
              HasSubstr("mizan_http_requests_total{route=\"/v1/transfers\",method=\"POST\","
                        "status=\"201\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("mizan_outcomes_total{outcome=\"already_applied\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("mizan_outcomes_total{outcome=\"wallet_not_found\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("mizan_operations_applied_total 2\n"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("nobody-here")));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("alice")));
}

TEST_F(HttpRoutes, a_currency_is_registered_once) {
  const json points{{"code", "POINTS"}, {"exponent", 0}};
  EXPECT_EQ(server_.post("/v1/currencies", points).status, 201);
  EXPECT_EQ(server_.post("/v1/currencies", points).status, 200);
  EXPECT_EQ(server_.post("/v1/currencies", {{"code", "POINTS"}, {"exponent", 2}}).status, 400);
  EXPECT_EQ(server_.get("/v1/currencies").body["items"], json::array({points}));
  EXPECT_EQ(server_.post("/v1/wallets", {{"id", "p"}, {"currency", "POINTS"}}).status, 201);
}

TEST_F(HttpRoutes, money_leaves_by_a_withdrawal) {
  const json body{{"wallet", "alice"}, {"amount", "1"}};
  EXPECT_EQ(server_.post("/v1/withdrawals", body, "w-1").status, 201);
  EXPECT_EQ(server_.post("/v1/withdrawals", body, "w-1").status, 200);
  EXPECT_EQ(balance("alice"), "9999");
}

TEST_F(HttpRoutes, every_kind_of_operation_is_answered_again_when_it_is_repeated) {
  const json hold{{"wallet", "alice"}, {"amount", "5"}};
  EXPECT_EQ(server_.post("/v1/holds", hold, "h").status, 201);
  EXPECT_EQ(server_.post("/v1/holds", hold, "h").status, 200);
  for (const int status : {201, 200}) {
    EXPECT_EQ(server_.post("/v1/holds/h/capture", {{"amount", "1"}}, "c").status, status);
  }
  for (const int status : {201, 200}) {
    EXPECT_EQ(server_.post("/v1/holds/h/void", nullptr, "v").status, status);
  }
  server_.post("/v1/transfers", transfer("1"), "t");
  for (const int status : {201, 200}) {
    EXPECT_EQ(server_.post("/v1/operations/t/reverse", nullptr, "r").status, status);
  }
  EXPECT_EQ(
      server_.post("/v1/deposits", {{"wallet", "alice"}, {"amount", "10000"}}, "first").status,
      200);
}

TEST_F(HttpRoutes, a_request_id_of_the_client_is_carried_through) {
  const Reply reply = server_.send({.method = "GET",
                                    .target = "/v1/wallets/none",
                                    .body = {},
                                    .headers = {{"X-Request-Id", "my-request-1"}}});
  EXPECT_EQ(reply.raw.header("x-request-id"), "my-request-1");
  EXPECT_EQ(reply.body["request_id"], "my-request-1");
}

}  // namespace
}  // namespace mizan::integration
