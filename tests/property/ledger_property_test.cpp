#include "tests/property/player.hpp"
#include "tests/property/sequence.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace mizan::property {
namespace {

TEST(LedgerProperty, answers_as_the_model_whatever_comes_in_whatever_order) {
  EXPECT_TRUE(rc::check("the ledger answers as the model", [] {
    const auto sequence = *any_sequence();
    std::size_t operations = 0;
    for (const Step& step : sequence) operations += step.wishes.size();
    RC_CLASSIFY(operations > 50);
    Player player;
    for (const Step& step : sequence) player.play(step);
    player.check_promises();
  }));
}

}  // namespace
}  // namespace mizan::property
