#include "webhook/secret.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace mizan::webhook {
namespace {

const std::string known = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

Timestamp at(std::int64_t seconds) {
  return Timestamp(std::chrono::seconds(seconds));
}

// The example of the specification's own libraries.
TEST(WebhookSecret, signs_as_the_specification_says) {
  const std::vector<std::string> secrets{known};
  EXPECT_EQ(
      sign(secrets, {"msg_p5jXN8AQM9LWM0D4loKWxJek", at(1614265330), R"({"test": 2432232314})"}),
      "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(WebhookSecret, signs_with_every_secret_while_they_are_exchanged) {
  SeededRandom random(1);
  const std::vector<std::string> secrets{new_secret(random), known};
  const SignedContent content{"evt_1", at(1), "{}"};
  const std::string both = sign(secrets, content);
  const std::string first = sign(std::span(secrets).first(1), content);
  const std::string second = sign(std::span(secrets).last(1), content);
  EXPECT_EQ(both, first + " " + second);
  EXPECT_NE(first, second);
}

TEST(WebhookSecret, the_time_is_in_whole_seconds) {
  EXPECT_EQ(timestamp_text(at(1614265330) + std::chrono::microseconds(999'999)), "1614265330");
}

TEST(WebhookSecret, a_new_one_has_32_bytes_and_is_none_of_the_others) {
  SeededRandom random(1);
  const std::string one = new_secret(random);
  EXPECT_TRUE(is_secret(one));
  EXPECT_EQ(one.size(), std::string("whsec_").size() + 44);
  EXPECT_NE(one, new_secret(random));
}

TEST(WebhookSecret, others_are_refused) {
  EXPECT_TRUE(is_secret(known)) << "24 bytes";
  for (const char* text : {"",
                           "whsec_",
                           "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                           "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",
                           "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw=",
                           "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa-_",
                           "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2La LaSw",
                           "whsec_c2hvcnQ="}) {
    EXPECT_FALSE(is_secret(text)) << text;
  }
  EXPECT_TRUE(is_secret("whsec_" + std::string(84, 'A') + "AA=="));  // 64 bytes.
  EXPECT_FALSE(is_secret("whsec_" + std::string(88, 'A')));          // 66 bytes.
}

}  // namespace
}  // namespace mizan::webhook
