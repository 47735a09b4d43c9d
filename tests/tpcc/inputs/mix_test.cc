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

}  // namespace waltax::tpcc
