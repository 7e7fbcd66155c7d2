#include "http/http_documents.hpp"
#include "http/message.hpp"
#include "http/router.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>

namespace mizan::http {
namespace {

using nlohmann::json;

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

TEST(Description, has_each_route_and_what_http_may_answer_there) {
  const json document = json::parse(http_documents::openapi);
  std::size_t described = 0;
  for (const auto& [path, methods] : document["paths"].items()) described += methods.size();
  const Router router;
  EXPECT_EQ(described, router.routes().size());
  for (const Route& route : router.routes()) {
    const std::string method = lower(std::string(to_string(route.method)));
    const json& methods = document["paths"].at(std::string(route.pattern));
    ASSERT_TRUE(methods.contains(method)) << route.pattern;
    const json& responses = methods[method]["responses"];
    // A body is read, or passed over up to a limit, also where none means anything.
    for (const char* status : {"400", "408", "413", "421", "431", "500", "503", "505"}) {
      EXPECT_TRUE(responses.contains(status)) << method << ' ' << route.pattern << ' ' << status;
    }
    EXPECT_EQ(responses.contains("415"), route.body_max > 0) << method << ' ' << route.pattern;
    // Whoever wants a key says so, and what it answers to those whose key will not do.
    const bool wants_key = route.scope != Scope::open;
    for (const char* status : {"401", "403", "429"}) {
      EXPECT_EQ(responses.contains(status), wants_key)
          << method << ' ' << route.pattern << ' ' << status;
    }
    EXPECT_EQ(methods[method].contains("security"), !wants_key) << method << ' ' << route.pattern;
  }
}

/// A COMMIT whose fate was not learnt, and somebody else's change of the same thing.
TEST(Description, has_what_a_write_may_answer_and_nobody_else) {
  const json document = json::parse(http_documents::openapi);
  const Router router;
  for (const Route& route : router.routes()) {
    // What became of each of a batch stands in its answer.
    const bool may_lose = route.method != Method::get && !route.is_batch;
    const json& methods = document["paths"].at(std::string(route.pattern));
    const json& responses = methods.at(lower(std::string(to_string(route.method))))["responses"];
    for (const char* status : {"409", "504"}) {
      EXPECT_EQ(responses.contains(status), may_lose) << route.pattern << ' ' << status;
    }
  }
}

}  // namespace
}  // namespace mizan::http
