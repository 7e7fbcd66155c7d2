#pragma once

#include "http_server.hpp"
#include "testkit/frozen_programs.hpp"
#include "testkit/server.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace mizan::integration {

inline constexpr std::chrono::milliseconds hung_answer_time{2'000};

/// Asks with every kind of request that needs the database, all at once, and expects an answer to
/// each soon after `hung_answer_time`.
void expect_answers_in_time(const HttpServer& server);

/// The same with every kind of request for a lock.
void expect_lock_answers_in_time(const HttpServer& server);

/// Many readers, and between them some who ask whether it is ready.
void expect_not_ready_in_time(const HttpServer& server);

/// The database is back, and so is everything else.
void expect_that_it_goes_on(const HttpServer& server);

/// `mizan serve` over a private `Database` of the testkit that can be frozen; then it accepts
/// connections and answers nothing. The parameter is the lock.
template <class Database>
class HungStore : public ::testing::TestWithParam<const char*> {
 protected:
  /// `name` as in MIZAN_REQUIRE; `program` is the server's.
  void set_up(const char* name, const char* program) {
    program_ = program;
    auto database = Database::start();
    if (!database) {
      const auto missing = Database::why_missing();
      if (missing && !testkit::is_required(name)) GTEST_SKIP() << *missing;
      FAIL() << database.error().detail;
    }
    database_ = std::move(*database);
    const std::string deadline = std::to_string(hung_answer_time.count()) + "ms";
    server_ = std::make_unique<HttpServer>(HttpServer::Words{
        "--store", database_->url(), "--lock", this->GetParam(), "--deadline", deadline});
    server_->make_ledger();
  }

  void answers_come_in_time() {
    {
      const testkit::FrozenPrograms frozen(program_);
      ASSERT_FALSE(frozen.empty());
      // First over connections that were good before, then over new ones.
      expect_answers_in_time(*server_);
      expect_answers_in_time(*server_);
    }
    expect_that_it_goes_on(*server_);
  }

  void it_says_in_time_that_it_is_not_ready() {
    ASSERT_EQ(server_->get("/readyz").status, 200);
    {
      const testkit::FrozenPrograms frozen(program_);
      ASSERT_FALSE(frozen.empty());
      expect_not_ready_in_time(*server_);
    }
    expect_that_it_goes_on(*server_);
  }

 private:
  const char* program_ = "";
  std::unique_ptr<Database> database_;
  std::unique_ptr<HttpServer> server_;  // Goes first.
};

}  // namespace mizan::integration
