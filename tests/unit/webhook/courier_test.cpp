#include "webhook/courier.hpp"

#include "mizan/memory.hpp"
#include "mizan/store_lock.hpp"

#include "testkit/builders.hpp"
#include "testkit/eventually.hpp"
#include "webhook/round.hpp"
#include "webhook/service.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace mizan::webhook {
namespace {

using std::chrono::milliseconds;
using testkit::eventually;

/// A receiver without a network: answers as a test says, and remembers what it got.
class Receiver {
 public:
  /// What to answer to the n-th attempt for an event (from 1).
  std::function<Result<Answer>(const Message&, int attempt)> script = [](const Message&,
                                                                         int) -> Result<Answer> {
    return Answer{200, ""};
  };

  Result<Answer> receive(const Message& message) {
    int attempt = 0;
    {
      const std::lock_guard lock(mutex_);
      attempt = ++attempts_[id_of(message)];
    }
    auto answer = script(message, attempt);
    const std::lock_guard lock(mutex_);
    if (answer && answer->status < 300) accepted_.push_back(message);
    return answer;
  }

  static std::string header(const Message& message, std::string_view name) {
    for (const auto& [known, value] : message.headers) {
      if (known == name) return value;
    }
    return {};
  }

  static std::string id_of(const Message& message) { return header(message, "webhook-id"); }

  [[nodiscard]] std::vector<Message> accepted() const {
    const std::lock_guard lock(mutex_);
    return accepted_;
  }

  [[nodiscard]] std::set<std::string> ids() const {
    std::set<std::string> ids;
    for (const Message& message : accepted()) ids.insert(id_of(message));
    return ids;
  }

  [[nodiscard]] int attempts() const {
    const std::lock_guard lock(mutex_);
    int sum = 0;
    for (const auto& [id, count] : attempts_) sum += count;
    return sum;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, int> attempts_;
  std::vector<Message> accepted_;
};

class WebhookCourier : public ::testing::Test {
 protected:
  WebhookCourier() {
    options_.retry.first = milliseconds(20);
    options_.retry.attempts_max = 5;
    options_.look_interval = milliseconds(50);
    options_.save_interval = milliseconds(5);
    for (const char* id : {"alice", "bob", "carol"}) {
      EXPECT_TRUE(ledger_.create_wallet(testkit::wallet(id).min_balance(-1'000'000)));
    }
  }

  Webhook create() {
    auto webhook = registry_.create({"https://shop.example/hook", {}, std::nullopt, false});
    EXPECT_TRUE(webhook);
    return *webhook;
  }

  void move(const std::string& id, std::string_view from, std::string_view to) {
    EXPECT_TRUE(ledger_.apply(testkit::transfer(id, from, to, 1)));
  }

  std::unique_ptr<Store> store_ = make_memory_store(system_clock());
  Ledger ledger_{*store_, system_clock(), {}};
  std::unique_ptr<LockService> locks_ = make_store_lock(*store_, system_clock());
  Registry registry_{*store_, system_clock(), system_random()};
  Receiver receiver_;
  Ground ground_{
      ledger_, registry_, *locks_, system_clock(), system_random(), [this](const Message& message) {
        return receiver_.receive(message);
      }};
  CourierOptions options_;
};

TEST_F(WebhookCourier, delivers_what_happens_after_the_registration) {
  move("before", "alice", "bob");
  const Webhook webhook = create();
  const Courier courier(ground_, webhook.id, options_);
  for (int i = 0; i < 20; ++i) move("op-" + std::to_string(i), "alice", "bob");
  ASSERT_TRUE(eventually([&] { return receiver_.accepted().size() == 20; }));
  for (int i = 0; i < 20; ++i) {
    const Message message = receiver_.accepted()[static_cast<std::size_t>(i)];
    EXPECT_EQ(message.url, webhook.url);
    EXPECT_NE(message.body.find("\"id\":\"op-" + std::to_string(i) + "\""), std::string::npos)
        << "in the order of the wallet";
    EXPECT_TRUE(Receiver::id_of(message).starts_with("evt_"));
    EXPECT_TRUE(Receiver::header(message, "webhook-signature").starts_with("v1,"));
    EXPECT_EQ(Receiver::header(message, "content-type"), "application/json");
  }
  EXPECT_TRUE(eventually([&] {
    auto progress = registry_.find_progress(webhook.id);
    return progress && *progress && (*progress)->value.place == *store_->events()->newest();
  })) << "the cursor follows";
}

TEST_F(WebhookCourier, a_lock_of_somebody_elses_is_not_in_its_way) {
  const Webhook webhook = create();
  AcquireRequest theirs;
  theirs.resource = Resource{"webhook:" + webhook.id};
  const auto held = locks_->acquire(std::move(theirs));
  ASSERT_TRUE(held && std::holds_alternative<Lease>(*held));
  const Courier courier(ground_, webhook.id, options_);
  move("op-1", "alice", "bob");
  EXPECT_TRUE(eventually([&] { return receiver_.accepted().size() == 1; }));
  AcquireRequest ours;
  ours.resource = Resource{"mizan:webhook/" + webhook.id};
  const auto busy = locks_->acquire(std::move(ours));
  EXPECT_TRUE(busy && std::holds_alternative<LockBusy>(*busy));
}

TEST_F(WebhookCourier, a_new_courier_goes_on_where_the_last_one_stopped) {
  const Webhook webhook = create();
  {
    const Courier courier(ground_, webhook.id, options_);
    move("op-1", "alice", "bob");
    ASSERT_TRUE(eventually([&] { return receiver_.accepted().size() == 1; }));
  }
  move("op-2", "alice", "bob");
  const Courier courier(ground_, webhook.id, options_);
  ASSERT_TRUE(eventually([&] { return receiver_.accepted().size() >= 2; }));
  EXPECT_EQ(receiver_.accepted().size(), 2U) << "what was settled at the end is not sent again";
}

TEST_F(WebhookCourier, a_failure_is_repeated_and_others_do_not_wait_for_it) {
  receiver_.script = [](const Message& message, int attempt) -> Result<Answer> {
    const bool is_bad = message.body.find("\"id\":\"bad\"") != std::string::npos;
    return Answer{is_bad && attempt < 4 ? 500 : 204, ""};
  };
  const Webhook webhook = create();
  const Courier courier(ground_, webhook.id, options_);
  move("bad", "alice", "bob");
  move("behind", "alice", "bob");
  ASSERT_TRUE(ledger_.apply(testkit::deposit("other", "carol", 1)));
  ASSERT_TRUE(eventually([&] { return receiver_.accepted().size() == 3; }));
  const auto accepted = receiver_.accepted();
  EXPECT_NE(accepted[0].body.find("\"id\":\"other\""), std::string::npos);
  EXPECT_NE(accepted[1].body.find("\"id\":\"bad\""), std::string::npos);
  EXPECT_NE(accepted[2].body.find("\"id\":\"behind\""), std::string::npos);
  EXPECT_TRUE(eventually([&] { return registry_.list_waiting(webhook.id)->empty(); }));
}

TEST_F(WebhookCourier, what_fails_for_ever_is_given_up_and_can_be_put_back) {
  std::atomic<bool> is_mended = false;
  receiver_.script = [&](const Message& message, int) -> Result<Answer> {
    const bool is_bad = message.body.find("\"id\":\"bad\"") != std::string::npos;
    return Answer{is_bad && !is_mended ? 422 : 200, ""};
  };
  const Webhook webhook = create();
  const Courier courier(ground_, webhook.id, options_);
  move("bad", "alice", "bob");
  move("behind", "alice", "bob");
  ASSERT_TRUE(eventually([&] { return receiver_.accepted().size() == 1; }));
  auto dead = registry_.list_dead(webhook.id, EventPlace{0}, 10);
  ASSERT_TRUE(dead);
  ASSERT_EQ(dead->size(), 1U);
  EXPECT_EQ(dead->front().attempts, 5U);
  EXPECT_NE(dead->front().last_error.find("422"), std::string::npos);
  is_mended = true;
  EXPECT_EQ(*registry_.retry_dead(webhook.id, dead->front().event), 1U);
  ASSERT_TRUE(eventually([&] { return receiver_.accepted().size() == 2; }));
  EXPECT_TRUE(registry_.list_dead(webhook.id, EventPlace{0}, 10)->empty());
}

TEST_F(WebhookCourier, an_answer_of_410_disables_the_webhook) {
  receiver_.script = [](const Message&, int) -> Result<Answer> { return Answer{410, ""}; };
  const Webhook webhook = create();
  const Courier courier(ground_, webhook.id, options_);
  move("op-1", "alice", "bob");
  ASSERT_TRUE(eventually([&] { return !(*registry_.find(webhook.id))->is_enabled; }));
  receiver_.script = [](const Message&, int) -> Result<Answer> { return Answer{200, ""}; };
  EXPECT_TRUE(registry_.enable(webhook.id));
  EXPECT_TRUE(eventually([&] { return receiver_.ids().size() == 1; })) << "nothing is lost";
}

TEST_F(WebhookCourier, retry_after_is_kept) {
  std::mutex mutex;
  std::vector<Instant> attempts;
  receiver_.script = [&](const Message&, int attempt) -> Result<Answer> {
    const std::lock_guard lock(mutex);
    attempts.push_back(system_clock().now());
    return Answer{attempt == 1 ? 429 : 200, "1"};
  };
  const Courier courier(ground_, create().id, options_);
  move("op-1", "alice", "bob");
  ASSERT_TRUE(eventually([&] { return receiver_.accepted().size() == 1; }));
  ASSERT_EQ(attempts.size(), 2U);
  EXPECT_GE(attempts[1] - attempts[0], milliseconds(950));
}

TEST_F(WebhookCourier, of_several_nodes_one_delivers_and_every_secret_signs) {
  const Webhook webhook = create();
  ASSERT_TRUE(registry_.rotate(webhook.id, std::nullopt, true));
  const auto other_locks = make_store_lock(*store_, system_clock());
  Ground other = {ledger_, registry_, *other_locks, system_clock(), system_random(), ground_.send};
  const Service one(ground_, options_);
  const Service two(other, options_);
  for (int i = 0; i < 50; ++i) move("op-" + std::to_string(i), "alice", "bob");
  ASSERT_TRUE(eventually([&] { return receiver_.ids().size() == 50; }));
  EXPECT_EQ(receiver_.attempts(), 50) << "nothing twice while nobody dies";
  const std::string signatures = Receiver::header(receiver_.accepted().back(), "webhook-signature");
  EXPECT_EQ(std::count(signatures.begin(), signatures.end(), ' '), 1);
}

TEST_F(WebhookCourier, a_holder_that_was_overtaken_moves_no_cursor) {
  const Webhook webhook = create();
  auto progress = registry_.find_progress(webhook.id);
  ASSERT_TRUE(progress && *progress);
  Kept<Progress> newer = **progress;
  newer.value.token = INT64_MAX;  // Of a lease that was granted much later.
  ASSERT_TRUE(*registry_.write_progress(webhook.id, newer));
  move("op-1", "alice", "bob");
  Round late(ground_, options_, webhook.id);
  const auto begun = late.begin(FenceToken{1});
  ASSERT_TRUE(begun);
  EXPECT_FALSE(*begun);
  EXPECT_EQ(receiver_.attempts(), 0);
  EXPECT_EQ((*registry_.find_progress(webhook.id))->value.token, INT64_MAX);
  EXPECT_FALSE(*registry_.write_progress(webhook.id, **progress)) << "with what was read before";
}

TEST_F(WebhookCourier, goes_on_above_the_tokens_of_a_lock_service_that_it_had_before) {
  const auto locks = make_memory_lock(system_clock());
  const Ground moved{ledger_, registry_, *locks, system_clock(), system_random(), ground_.send};
  const Webhook webhook = create();
  auto progress = registry_.find_progress(webhook.id);
  ASSERT_TRUE(progress && *progress);
  constexpr std::int64_t newest = std::int64_t{1} << 52U;  // Memory counts on from the time in µs.
  (*progress)->value.token = newest;
  ASSERT_TRUE(*registry_.write_progress(webhook.id, **progress));
  const Courier courier(moved, webhook.id, options_);
  move("op-1", "alice", "bob");
  ASSERT_TRUE(eventually([&] { return receiver_.accepted().size() == 1; }));
  EXPECT_GT((*registry_.find_progress(webhook.id))->value.token, newest);
}

/// Is nobody delivering for it any more?
bool is_let_go(LockService& locks, const std::string& webhook) {
  AcquireRequest request;
  request.resource = Resource{"mizan:webhook/" + webhook};
  const auto outcome = locks.acquire(std::move(request));
  return outcome && std::holds_alternative<Lease>(*outcome);
}

TEST_F(WebhookCourier, at_the_end_none_waits_for_the_delivery_of_another_one) {
  options_.timeout = std::chrono::minutes(10);
  Webhook slow = create();
  Webhook quick = *registry_.create({"https://bank.example/hook", {}, std::nullopt, false});
  // Whichever of them ends first.
  for (int round = 1; round <= 2; ++round, std::swap(slow, quick)) {
    std::atomic<bool> hangs = true;
    receiver_.script = [&](const Message& message, int) -> Result<Answer> {
      const bool is_free = message.url != slow.url;
      EXPECT_TRUE(is_free || eventually([&] { return !hangs; }));
      return Answer{200, ""};
    };
    auto service = std::make_unique<Service>(ground_, options_);
    move("op-" + std::to_string(round), "alice", "bob");
    ASSERT_TRUE(eventually([&] { return receiver_.attempts() == 2 * round; }));
    ASSERT_FALSE(is_let_go(*locks_, quick.id));
    std::jthread ending([&] { service.reset(); });
    EXPECT_TRUE(eventually([&] { return is_let_go(*locks_, quick.id); }, milliseconds(10'000)));
    EXPECT_FALSE(is_let_go(*locks_, slow.id)) << "it finishes what it is sending";
    hangs = false;
  }
}

TEST_F(WebhookCourier, a_webhook_that_is_removed_leaves_nothing) {
  receiver_.script = [](const Message&, int) -> Result<Answer> { return Answer{500, ""}; };
  const Webhook webhook = create();
  {
    const Courier courier(ground_, webhook.id, options_);
    move("op-1", "alice", "bob");
    ASSERT_TRUE(eventually([&] { return receiver_.attempts() > 0; }));
  }
  EXPECT_TRUE(*registry_.remove(webhook.id));
  EXPECT_FALSE(*registry_.remove(webhook.id));
  EXPECT_TRUE(registry_.list()->empty());
  EXPECT_TRUE(registry_.list_waiting(webhook.id)->empty());
  EXPECT_FALSE(*registry_.find_progress(webhook.id));
}

}  // namespace
}  // namespace mizan::webhook
