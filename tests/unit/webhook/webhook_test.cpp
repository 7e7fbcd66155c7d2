#include "webhook/webhook.hpp"

#include "base/random.hpp"
#include "webhook/secret.hpp"

#include <gtest/gtest.h>

namespace mizan::webhook {
namespace {

TEST(Webhook, is_read_as_it_was_written) {
  Webhook webhook;
  webhook.id = "wh_1";
  webhook.url = "https://shop.example/a?b=\"c";
  webhook.types = {"operation.applied"};
  webhook.secrets = {new_secret(system_random()), new_secret(system_random())};
  webhook.is_enabled = false;
  webhook.disabled_because = "میزان";
  webhook.created_at = *parse_rfc3339("2026-03-01T12:00:00.000001Z");
  webhook.retries_asked = 3;
  const auto read = read_webhook("wh_1", to_text(webhook));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), to_text(webhook));
  EXPECT_EQ(read->secrets, webhook.secrets);
  EXPECT_EQ(read->created_at, webhook.created_at);
  EXPECT_FALSE(read->is_enabled);
}

TEST(Webhook, shows_no_secret) {
  Webhook webhook;
  webhook.url = "https://shop.example/";
  webhook.secrets = {"whsec_geheim"};
  EXPECT_EQ(to_object(webhook).text().find("geheim"), std::string::npos);
}

TEST(Webhook, progress_and_deliveries_are_read_as_they_were_written) {
  const auto progress = read_progress(to_text(Progress{EventPlace{INT64_MAX}, INT64_MAX}));
  ASSERT_TRUE(progress);
  EXPECT_EQ(progress->place, EventPlace{INT64_MAX});
  EXPECT_EQ(progress->token, INT64_MAX);
  // A token of the lease that couriers had under its former name orders nothing any more.
  const auto former = read_progress(R"({"place":7,"token":9})");
  ASSERT_TRUE(former);
  EXPECT_EQ(former->place, EventPlace{7});
  EXPECT_EQ(former->token, 0);
  DeliveryRecord record;
  record.place = EventPlace{7};
  record.event = "evt_7";
  record.attempts = 3;
  record.due = *parse_rfc3339("2026-03-01T12:00:00Z");
  record.last_error = "no \"answer\"";
  const auto read = read_delivery(to_text(record));
  ASSERT_TRUE(read);
  EXPECT_EQ(to_text(*read), to_text(record));
  EXPECT_FALSE(read->first_failed_at);
}

TEST(Webhook, a_damaged_document_is_an_error) {
  EXPECT_FALSE(read_webhook("wh_1", "{}"));
  EXPECT_FALSE(read_webhook("wh_1", "nonsense"));
  EXPECT_FALSE(read_progress("["));
  EXPECT_FALSE(read_progress(R"({"place":7})")) << "no token: an old holder could take over";
  EXPECT_FALSE(read_progress(R"({"token":7})")) << "no place: everything would be sent anew";
  EXPECT_FALSE(read_delivery(""));
  EXPECT_FALSE(read_delivery(R"({"event":"evt_7","attempts":1})"));
  Webhook webhook;
  webhook.url = "https://shop.example/";
  webhook.secrets = {new_secret(system_random()), "whsec_short"};
  EXPECT_FALSE(read_webhook("wh_1", to_text(webhook))) << "nothing could be signed with it";
}

TEST(Webhook, urls_are_of_http_with_a_host_and_nothing_else) {
  for (const char* url : {"https://shop.example",
                          "http://127.0.0.1:8080/hook?a=b",
                          "https://[::1]/",
                          "https://[::1]:8443?a"}) {
    EXPECT_TRUE(check_url(url)) << url;
  }
  for (const char* url : {"",
                          "shop.example",
                          "ftp://shop.example/",
                          "HTTPS://shop.example/",
                          "https://",
                          "https:///path",
                          "http://[::1/",
                          "http://::1/",
                          "http://[::1]x/",
                          "http://[x]/",
                          "http://::1]/",
                          "http://shop.example:/",
                          "http://shop.example:0/",
                          "http://shop.example:99999/",
                          "http://shop.example:8a/",
                          "https://:80/",
                          "https:"
                          "//user:secret@shop.example/",
                          "https://shop.example/#part",
                          "https://shop.example/a b",
                          "https://shop.example/\n",
                          "https://shop.example/caf\xc3\xa9"}) {
    const Status checked = check_url(url);
    ASSERT_FALSE(checked) << url;
    EXPECT_EQ(checked.error().where, "/url");
    EXPECT_EQ(checked.error().detail.find("secret"), std::string::npos);
  }
  EXPECT_FALSE(check_url("https://" + std::string(2'000, 'a')));
}

TEST(Webhook, types_are_those_that_events_have) {
  EXPECT_TRUE(check_types({}));
  EXPECT_TRUE(check_types({"operation.applied"}));
  EXPECT_FALSE(check_types({"operation.applied", "wallet.created"}));
}

}  // namespace
}  // namespace mizan::webhook
