#include "cli_program.hpp"
#include "http_server.hpp"
#include "losing_proxy.hpp"
#include "testkit/server.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

// The programs in examples/ that speak HTTP, against a real server and a connection that loses the
// first answer to everything that writes.

namespace mizan::integration {
namespace {

const std::string examples = std::string(MIZAN_SOURCE_DIR) + "/examples";

constexpr const char* expected =
    "order 17, sent again: already_applied\n"
    "order 18: insufficient_funds, 8766 available, 99999999 needed\n"
    "under the lock: already_applied\n"
    "statement of alice:\n"
    "  3 transfer 34 8800\n"
    "  2 transfer -1234 8766\n"
    "  1 deposit 10000 10000\n";

/// Why an example cannot be run; nothing where it can.
std::string missing(const std::vector<std::string>& programs) {
  for (const std::string& name : programs) {
    if (!has_program(name)) return name + " is missing";
  }
  return {};
}

/// Where it is missing although the clients' programs are demanded, that is a failure.
bool may_skip(const std::string& reason) {
  if (reason.empty()) return false;
  EXPECT_FALSE(testkit::is_required("clients")) << reason;
  return true;
}

void run_example(const Program& program, const std::string& command) {
  HttpServer server;
  LosingProxy loser(server, [](int number) { return number % 2 == 1; });
  const Ran ran = program.shell(command + " " + loser.url());
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.out, expected) << ran.err;
  // Again, after the program died, say: nothing happens twice but what has a new token.
  const Ran again = program.shell(command + " http://127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(again.status, 0) << again.err;
  const auto balance = server.get("/v1/wallets/alice").body.value("balance", "");
  EXPECT_EQ(balance, "8834");
  EXPECT_TRUE(server
                  .post("/v1/transfers",
                        {{"from", "bob"},
                         {"to", "alice"},
                         {"amount", "1"},
                         {"fence", {{"resource", "payout"}, {"token", 1}}}},
                        "late")
                  .code() == "stale_fence");
}

TEST(Examples, curl) {
  const std::string reason = missing({"bash", "curl", "jq"});
  if (may_skip(reason)) GTEST_SKIP() << reason;
  run_example(Program(), "bash " + examples + "/curl/wallets.sh");
}

TEST(Examples, python) {
  const std::string reason = missing({"python3"});
  if (may_skip(reason)) GTEST_SKIP() << reason;
  run_example(Program(), "python3 -B " + examples + "/python/wallets.py");
}

TEST(Examples, typescript) {
  const std::string folder = examples + "/typescript";
  const std::string compiler = folder + "/node_modules/.bin/tsc";
  std::string reason = missing({"node"});
  if (!std::filesystem::exists(compiler)) {
    reason = "the compiler is missing: tools/setup.sh, or npm ci in examples/typescript";
  }
  if (may_skip(reason)) GTEST_SKIP() << reason;
  const Program program;
  program.write_file("package.json", R"({"type":"module"})");
  const Ran built = program.shell(compiler + " --project " + folder + " --outDir .");
  ASSERT_EQ(built.status, 0) << built.out << built.err;
  run_example(program, "node wallets.js");
}

}  // namespace
}  // namespace mizan::integration
