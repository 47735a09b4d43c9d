#include "tpcc/inputs/mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace waltax::tpcc {

namespace {

TEST(Deck, DealsExactlyTheMixInEvery23Cards) {
  Random random(1);
  Deck deck;
  for (int round = 0; round < 100; ++round) {
    std::array<size_t, kOps> dealt{};
    for (size_t card = 0; card < 23; ++card) {
      ++dealt[static_cast<size_t>(deck.Deal(random))];
    }
    EXPECT_EQ(dealt, (std::array<size_t, kOps>{10, 10, 1, 1, 1}));
  }
}

TEST(Deck, IsShuffledEachTime) {
  Random random(1);
  Deck deck;
  std::set<std::vector<Op>> orders;
  for (int round = 0; round < 100; ++round) {
    std::vector<Op> order;
    for (size_t card = 0; card < 23; ++card) order.push_back(deck.Deal(random));
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 100U);
}

// Each place of the 23 gets each rare card in 1 of 23 rounds.
TEST(Deck, PutsARareCardAnywhereAlike) {
  constexpr int kRounds = 46'000;
  Random random(2);
  Deck deck;
  std::array<int, Deck::kCards> delivery_at{};
  for (int round = 0; round < kRounds; ++round) {
    for (size_t card = 0; card < Deck::kCards; ++card) {
      if (deck.Deal(random) == Op::kDelivery) ++delivery_at[card];
    }
  }
  // 2000 expected, with a standard deviation of 44.
  for (const int rounds : delivery_at) EXPECT_NEAR(rounds, 2000, 5 * 44);
}

}  // namespace

namespace {

using std::chrono::duration;
using std::chrono::nanoseconds;
using std::chrono::seconds;

double Seconds(nanoseconds pause) { return duration<double>(pause).count(); }

TEST(Pacing, BeginsWithKeyingAlone) {
  const std::array<int, kOps> keying_s = {18, 3, 2, 2, 2};
  for (size_t op = 0; op < kOps; ++op) {
    Pacing pacing(Random(1));
    EXPECT_EQ(pacing.PauseBefore(static_cast<Op>(op)), seconds(keying_s[op]));
  }
}

TEST(Pacing, ThinksAboutThePreviousTransactionAsLongAsTheClauseSays) {
  constexpr int kPauses = 100'000;
  const std::array<double, kOps> mean_think_s = {12, 12, 10, 5, 5};
  for (size_t op = 0; op < kOps; ++op) {
    Pacing pacing(Random(1));
    double sum_s = 0;
    for (int i = 0; i < kPauses; ++i) {
      (void)pacing.PauseBefore(static_cast<Op>(op));
      sum_s += Seconds(pacing.PauseBefore(Op::kPayment)) - 3;
      pacing = Pacing(Random(static_cast<uint64_t>(i) + 2));
    }
    // An exponential's standard deviation is its mean.
    EXPECT_NEAR(sum_s / kPauses, mean_think_s[op],
                5 * mean_think_s[op] / std::sqrt(kPauses));
  }
}

TEST(Pacing, ThinksForTenTimesTheMeanAtMost) {
  Pacing pacing(Random(1));
  double longest_s = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    longest_s =
        std::max(longest_s, Seconds(pacing.PauseBefore(Op::kDelivery)) - 2);
  }
  EXPECT_NEAR(longest_s, 50, 1e-6);
}

}  // namespace

}  // namespace waltax::tpcc
