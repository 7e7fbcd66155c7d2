#pragma once

#include "cli_program.hpp"
#include "testkit/frozen_programs.hpp"
#include "testkit/server.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace mizan::integration {

/// A private server of the testkit; null, with the test failed where it is required, without one.
template <class Server>
std::unique_ptr<Server> start_server(const char* name) {
  auto server = Server::start();
  if (server) return std::move(*server);
  const auto missing = Server::why_missing();
  const bool may_skip = missing && !testkit::is_required(name);
  if (!may_skip) ADD_FAILURE() << server.error().detail;
  return nullptr;
}

/// Asks with a deadline of a second something of which nobody answers, and expects status 3 within
/// a few seconds.
void expect_unavailable_in_time(const Program& program, Program::Words words);

/// Whatever is asked of a database that accepts connections and says nothing has an answer in time.
template <class Database>
void expect_answers_of_frozen(const Database& database, const char* frozen_program) {
  const Program program;
  const auto with_store = [&database](Program::Words words) {
    words.insert(words.end(), {"--store", database.url()});
    return words;
  };
  static_cast<void>(program.must(with_store({"init"})));
  static_cast<void>(program.must(with_store({"wallet", "create", "alice", "--currency", "EUR"})));
  const testkit::FrozenPrograms frozen(frozen_program);
  ASSERT_FALSE(frozen.empty());
  const std::vector<Program::Words> asked = {{"wallet", "show", "alice"},
                                             {"deposit", "alice", "1"},
                                             {"lock", "acquire", "pay"},
                                             {"doctor"}};
  for (const Program::Words& words : asked) expect_unavailable_in_time(program, with_store(words));
}

}  // namespace mizan::integration
