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
    if (route.scope == Scope::open) continue;
    for (const char* status : {"401", "403", "429"}) {
      EXPECT_TRUE(responses.contains(status)) << method << ' ' << route.pattern << ' ' << status;
    }
  }
}

/// A COMMIT whose fate was not learnt, and somebody else's change of the same thing.
TEST(Description, has_what_a_write_may_answer) {
  const json document = json::parse(http_documents::openapi);
  const Router router;
  for (const Route& route : router.routes()) {
    if (route.method == Method::get || route.is_batch) continue;
    const json& methods = document["paths"].at(std::string(route.pattern));
    const json& responses = methods.at(lower(std::string(to_string(route.method))))["responses"];
    EXPECT_TRUE(responses.contains("409")) << route.pattern;
    EXPECT_TRUE(responses.contains("504")) << route.pattern;
  }
}

}  // namespace
}  // namespace mizan::http
