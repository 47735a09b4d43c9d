#include "tpcc/terminal.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tpcc/draws.h"

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

constexpr int kDraws = 230'000;

// Draws by a terminal at home in warehouse 2, and hands on those of one kind.
class Draws {
 public:
  explicit Draws(uint32_t warehouses, uint64_t seed = 1)
      : terminal_(0, {2 <= warehouses ? 2U : 1U, 7}, warehouses, {66, 77, 88},
                  seed) {}
  void Each(Op op, const std::function<void(const Inputs&)>& look) {
    for (int i = 0; i < kDraws; ++i) {
      terminal_.Draw(&inputs_);
      if (inputs_.op == op) look(inputs_);
    }
  }

 private:
  Terminal terminal_;
  Inputs inputs_;
};

TEST(NewOrderInputs, AreOfTheHomeWarehouseAndWithinTheClausesBounds) {
  Draws(4).Each(Op::kNewOrder, [](const Inputs& inputs) {
    const NewOrderInput& order = inputs.new_order;
    EXPECT_EQ(order.w_id, 2U);
    EXPECT_TRUE(order.d_id >= 1 && order.d_id <= 10);
    EXPECT_TRUE(order.c_id >= 1 && order.c_id <= 3000);
    ASSERT_TRUE(order.ol_cnt >= 5 && order.ol_cnt <= 15);
    for (size_t i = 0; i < order.ol_cnt; ++i) {
      const NewOrderInput::Line& line = order.lines[i];
      EXPECT_TRUE(line.quantity >= 1 && line.quantity <= 10);
      EXPECT_TRUE(line.supply_w_id >= 1 && line.supply_w_id <= 4);
      const bool last = i + 1U == order.ol_cnt;
      EXPECT_TRUE((line.i_id >= 1 && line.i_id <= kItems) ||
                  (last && line.i_id == kUnusedItem));
    }
  });
}

TEST(NewOrderInputs, HaveAsManyLinesAsUniformly5To15) {
  std::map<int, int> orders;
  Draws(1).Each(Op::kNewOrder, [&](const Inputs& inputs) {
    ++orders[inputs.new_order.ol_cnt];
  });
  EXPECT_EQ(orders.size(), 11U);
  // 100'000 orders; a standard deviation of 91.
  for (const auto& [lines, count] : orders) EXPECT_NEAR(count, 9091, 5 * 91);
}

TEST(NewOrderInputs, AreSuppliedByEveryOtherWarehouseAlike) {
  std::map<uint32_t, int> lines;
  Draws(4).Each(Op::kNewOrder, [&](const Inputs& inputs) {
    for (size_t i = 0; i < inputs.new_order.ol_cnt; ++i) {
      ++lines[inputs.new_order.lines[i].supply_w_id];
    }
  });
  for (const uint32_t other : {1U, 3U, 4U}) {
    EXPECT_NEAR(lines[other], 3333, 5 * 58) << other;
  }
}

TEST(NewOrderInputs, RollBackByTheLastLineOnly) {
  int rollbacks = 0;
  Draws(1).Each(Op::kNewOrder, [&](const Inputs& inputs) {
    const NewOrderInput& order = inputs.new_order;
    rollbacks += order.lines[order.ol_cnt - 1U].i_id == kUnusedItem;
    for (size_t i = 0; i + 1U < order.ol_cnt; ++i) {
      EXPECT_NE(order.lines[i].i_id, kUnusedItem);
    }
  });
  EXPECT_NEAR(rollbacks, 1000, 5 * 32);
}

TEST(PaymentInputs, NameCustomersOfHomeOrOfAnotherWarehouse) {
  std::map<uint32_t, int> payments;
  std::set<int> remote_districts;
  Draws(4).Each(Op::kPayment, [&](const Inputs& inputs) {
    const PaymentInput& payment = inputs.payment;
    EXPECT_EQ(payment.w_id, 2U);
    ++payments[payment.customer.w_id];
    if (payment.customer.w_id == 2) {
      EXPECT_EQ(payment.customer.d_id, payment.d_id);
    } else {
      remote_districts.insert(payment.customer.d_id);
    }
  });
  EXPECT_NEAR(payments[2], 85'000, 5 * 113);
  for (const uint32_t other : {1U, 3U, 4U}) {
    EXPECT_NEAR(payments[other], 5'000, 5 * 69) << other;
  }
  EXPECT_EQ(remote_districts.size(), 10U);
}

TEST(PaymentInputs, AreAmountsFromOneTo5000InCents) {
  Cents least = 1'000'000;
  Cents most = 0;
  double sum = 0;
  Draws(1).Each(Op::kPayment, [&](const Inputs& inputs) {
    least = std::min(least, inputs.payment.amount);
    most = std::max(most, inputs.payment.amount);
    sum += static_cast<double>(inputs.payment.amount);
  });
  EXPECT_TRUE(least >= 100 && least < 150) << least;
  EXPECT_TRUE(most <= 500'000 && most > 499'950) << most;
  EXPECT_NEAR(sum / 100'000, 250'050, 5 * 456);
}

TEST(CustomerInputs, AreByLastNameInSixOfTen) {
  int by_name = 0;
  Draws(1).Each(Op::kPayment, [&](const Inputs& inputs) {
    const CustomerChoice& customer = inputs.payment.customer;
    EXPECT_EQ(customer.c_id == 0, !customer.last.empty());
    by_name += customer.c_id == 0;
  });
  EXPECT_NEAR(by_name, 60'000, 5 * 155);
  by_name = 0;
  Draws(1).Each(Op::kOrderStatus, [&](const Inputs& inputs) {
    by_name += inputs.order_status.customer.c_id == 0;
  });
  EXPECT_NEAR(by_name, 6'000, 5 * 49);
}

TEST(CustomerInputs, PreferTheNamesThatTheConstantSays) {
  std::map<std::string_view, int> names;
  Draws(1).Each(Op::kPayment, [&](const Inputs& inputs) {
    ++names[inputs.payment.customer.last];
  });
  // 255 | x is 255, 511 or 767 most often, and then 66 more.
  EXPECT_GT(names[LastName(255 + 66)], 15 * 60);
  EXPECT_GT(names[LastName(511 + 66)], 15 * 60);
}

TEST(OrderStatusInputs, StayAtHome) {
  Draws(4).Each(Op::kOrderStatus, [](const Inputs& inputs) {
    EXPECT_EQ(inputs.order_status.customer.w_id, 2U);
  });
}

TEST(DeliveryInputs, NameOneOfTenCarriers) {
  std::set<int> carriers;
  Draws(4).Each(Op::kDelivery, [&](const Inputs& inputs) {
    EXPECT_EQ(inputs.delivery.w_id, 2U);
    carriers.insert(inputs.delivery.carrier_id);
  });
  EXPECT_EQ(carriers.size(), 10U);
  EXPECT_EQ(*carriers.begin(), 1);
}

TEST(StockLevelInputs, AskForTheTerminalsOwnDistrict) {
  std::set<int> thresholds;
  Draws(4).Each(Op::kStockLevel, [&](const Inputs& inputs) {
    EXPECT_EQ(inputs.stock_level.w_id, 2U);
    EXPECT_EQ(inputs.stock_level.d_id, 7);
    thresholds.insert(inputs.stock_level.threshold);
  });
  EXPECT_EQ(*thresholds.begin(), 10);
  EXPECT_EQ(*thresholds.rbegin(), 20);
}

TEST(Inputs, NeverLeaveASingleWarehouse) {
  Draws draws(1);
  draws.Each(Op::kNewOrder, [](const Inputs& inputs) {
    for (size_t i = 0; i < inputs.new_order.ol_cnt; ++i) {
      EXPECT_EQ(inputs.new_order.lines[i].supply_w_id, 1U);
    }
  });
  draws.Each(Op::kPayment, [](const Inputs& inputs) {
    EXPECT_EQ(inputs.payment.customer.w_id, 1U);
  });
}

TEST(Inputs, FollowFromTheSeedAndTheTerminal) {
  const auto trace = [](int terminal, uint64_t seed) {
    Terminal drawing(terminal, {1, 1}, 1, {1, 2, 3}, seed);
    Inputs inputs;
    std::string text;
    for (int i = 0; i < 200; ++i) {
      drawing.Draw(&inputs);
      text += std::to_string(static_cast<int>(inputs.op)) + ":" +
              std::to_string(inputs.payment.amount) + " ";
    }
    return text;
  };
  EXPECT_EQ(trace(3, 5), trace(3, 5));
  EXPECT_NE(trace(3, 5), trace(4, 5));
  EXPECT_NE(trace(3, 5), trace(3, 6));
}

TEST(Homes, AreDealtInTurnToManyTerminals) {
  std::set<std::pair<uint32_t, int>> homes;
  for (int t = 0; t < 30; ++t) {
    const Home home = HomeOf(t, 30, 3);
    EXPECT_EQ(home.w_id, 1U + static_cast<uint32_t>(t) % 3);
    homes.insert({home.w_id, home.stock_level_d_id});
  }
  // Ten terminals a warehouse have a district each (clause 2.8.1.1).
  EXPECT_EQ(homes.size(), 30U);
}

TEST(Homes, OfFewTerminalsAreSpreadEvenly) {
  EXPECT_EQ(HomeOf(0, 4, 100).w_id, 1U);
  EXPECT_EQ(HomeOf(1, 4, 100).w_id, 26U);
  EXPECT_EQ(HomeOf(3, 4, 100).w_id, 76U);
}

TEST(Homes, OfFewTerminalsHaveStockLevelsInEveryDistrict) {
  for (const int terminals : {10, 100}) {
    std::set<uint8_t> districts;
    for (int t = 0; t < terminals; ++t) {
      districts.insert(HomeOf(t, terminals, 100).stock_level_d_id);
    }
    EXPECT_EQ(districts.size(), 10U) << terminals;
  }
}

}  // namespace
}  // namespace waltax::tpcc
