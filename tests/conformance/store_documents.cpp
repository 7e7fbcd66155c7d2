#include "tests/conformance/store_fixture.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace mizan::conformance {
namespace {

std::vector<std::string> names(const std::vector<Document>& documents) {
  std::vector<std::string> all;
  for (const Document& document : documents) all.push_back(document.name);
  return all;
}

TEST_P(StoreConformance, a_document_is_read_as_it_was_written) {
  DocumentTable& table = *store().documents();
  EXPECT_FALSE(must(table.find("webhook", "one")));
  const std::string content = R"({"url":"https://example.org/?a='\"%_","name":"میزان"})";
  EXPECT_TRUE(must(table.write("webhook", {"one", 0, content})));
  const Document found = must_have(table.find("webhook", "one"));
  EXPECT_EQ(found.name, "one");
  EXPECT_EQ(found.revision, 1U);
  EXPECT_EQ(found.content, content);
  EXPECT_FALSE(must(table.find("webhook", "ONE"))) << "names are compared byte for byte";
  EXPECT_FALSE(must(table.find("Webhook", "one")));
  const std::string large(document_content_max, 'x');
  EXPECT_TRUE(must(table.write("webhook", {"large", 0, large})));
  EXPECT_EQ(must_have(table.find("webhook", "large")).content, large);
  EXPECT_TRUE(must(table.write("webhook", {"empty", 0, ""})));
  EXPECT_EQ(must_have(table.find("webhook", "empty")).content, "");
}

TEST_P(StoreConformance, whoever_was_overtaken_writes_no_document) {
  DocumentTable& table = *store().documents();
  EXPECT_FALSE(must(table.write("cursor", {"one", 3, "x"}))) << "there is none yet";
  EXPECT_TRUE(must(table.write("cursor", {"one", 0, "first"})));
  EXPECT_FALSE(must(table.write("cursor", {"one", 0, "other"}))) << "there is one";
  EXPECT_TRUE(must(table.write("cursor", {"one", 1, "second"})));
  EXPECT_FALSE(must(table.write("cursor", {"one", 1, "stale"})));
  EXPECT_EQ(must_have(table.find("cursor", "one")).content, "second");
  EXPECT_EQ(must_have(table.find("cursor", "one")).revision, 2U);
  EXPECT_TRUE(must(table.write("cursor", {"one", 2, "second"}))) << "the same content is a write";
  EXPECT_EQ(must_have(table.find("cursor", "one")).revision, 3U);
}

TEST_P(StoreConformance, documents_are_listed_by_kind_in_order_of_name) {
  DocumentTable& table = *store().documents();
  for (const char* name : {"b", "a", "C", "a.1", "d"}) {
    EXPECT_TRUE(must(table.write("webhook", {name, 0, "x"})));
  }
  EXPECT_TRUE(must(table.write("other", {"z", 0, "x"})));
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(must(table.list("webhook", "", 100))), (Names{"C", "a", "a.1", "b", "d"}));
  EXPECT_EQ(names(must(table.list("webhook", "a", 2))), (Names{"a.1", "b"}));
  EXPECT_EQ(names(must(table.list("nothing", "", 100))), Names());
  EXPECT_TRUE(must(table.remove("webhook", "a")));
  EXPECT_FALSE(must(table.remove("webhook", "a")));
  EXPECT_EQ(names(must(table.list("webhook", "", 100))), (Names{"C", "a.1", "b", "d"}));
}

TEST_P(StoreConformance, malformed_documents_are_refused) {
  DocumentTable& table = *store().documents();
  for (const Document& document : {Document{"", 0, "x"},
                                   Document{"a b", 0, "x"},
                                   Document{std::string(129, 'n'), 0, "x"},
                                   Document{"n", 0, std::string(document_content_max + 1, 'x')},
                                   Document{"n", 0, "\xff"}}) {
    const auto written = table.write("kind", document);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, Code::invalid_request);
  }
  EXPECT_FALSE(table.write("", {"n", 0, "x"}));
  EXPECT_TRUE(must(table.list("kind", "", 10)).empty());
}

TEST_P(StoreConformance, of_many_who_write_a_document_at_once_one_wins_each_time) {
  DocumentTable& table = *store().documents();
  constexpr int rounds = 10;
  std::atomic<int> won = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (std::uint64_t round = 0; round < rounds; ++round) {
          while (true) {
            auto written = table.write("counter", {"one", round, std::to_string(round)});
            if (!written) continue;  // A lost race may be an error that asks to be repeated.
            if (*written) ++won;
            break;
          }
        }
      });
    }
  }
  EXPECT_EQ(won, rounds);
  EXPECT_EQ(must_have(table.find("counter", "one")).revision, static_cast<std::uint64_t>(rounds));
}

}  // namespace
}  // namespace mizan::conformance
