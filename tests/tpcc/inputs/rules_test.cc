#include "tpcc/inputs/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace waltax::tpcc {
namespace {

std::vector<InputCount> CountDraws(uint32_t warehouses, int draws) {
  Terminal terminal(0, {1, 1}, warehouses, {66, 77, 88}, 3);
  InputTally tally(warehouses);
  Inputs inputs;
  for (int i = 0; i < draws; ++i) {
    terminal.Draw(&inputs);
    tally.Add(inputs);
  }
  std::vector<InputCount> counts(InputRulesFor(warehouses).size());
  tally.Take(&counts);
  return counts;
}

InputCount CountOf(const std::string& name, uint32_t warehouses,
                   const std::vector<InputCount>& counts) {
  const std::vector<InputRule> rules = InputRulesFor(warehouses);
  const auto rule =
      std::find_if(rules.begin(), rules.end(),
                   [&](const InputRule& r) { return r.name == name; });
  return counts[static_cast<size_t>(rule - rules.begin())];
}

TEST(InputRules, HoldForWhatTerminalsDraw) {
  for (const uint32_t warehouses : {1U, 5U}) {
    const std::vector<InputRule> rules = InputRulesFor(warehouses);
    const std::vector<InputCount> counts = CountDraws(warehouses, 460'000);
    for (size_t i = 0; i < rules.size(); ++i) {
      const InputRule& rule = rules[i];
      const auto samples = static_cast<double>(counts[i].samples);
      const double mean = static_cast<double>(counts[i].sum) / samples;
      EXPECT_GE(mean, rule.low) << rule.name;
      EXPECT_LE(mean, rule.high) << rule.name;
      EXPECT_NEAR(mean, rule.mean, 4 * std::sqrt(rule.variance / samples))
          << rule.name;
    }
  }
}

TEST(InputRules, SayNothingOfRemoteWarehousesWhereThereAreNone) {
  EXPECT_EQ(InputRulesFor(2).size(), InputRulesFor(1).size() + 2);
  for (const InputRule& rule : InputRulesFor(1)) {
    EXPECT_FALSE(rule.name.starts_with("remote")) << rule.name;
  }
}

TEST(InputTally, CountsEachLineOfAnOrderButNotTheOneThatNobodySupplies) {
  Inputs inputs;
  inputs.op = Op::kNewOrder;
  inputs.new_order.w_id = 1;
  inputs.new_order.ol_cnt = 5;
  inputs.new_order.lines.fill({10, 1, 1});
  inputs.new_order.lines[2].supply_w_id = 2;
  InputTally tally(2);
  tally.Add(inputs);
  inputs.new_order.lines[4].i_id = kUnusedItem;
  tally.Add(inputs);
  std::vector<InputCount> counts(InputRulesFor(2).size());
  tally.Take(&counts);
  EXPECT_EQ(CountOf("order lines per order", 2, counts).samples, 2U);
  EXPECT_EQ(CountOf("order lines per order", 2, counts).sum, 10U);
  EXPECT_EQ(CountOf("rollbacks", 2, counts).sum, 1U);
  EXPECT_EQ(CountOf("remote order lines", 2, counts).samples, 9U);
  EXPECT_EQ(CountOf("remote order lines", 2, counts).sum, 2U);
  EXPECT_EQ(CountOf("PAYMENT share", 2, counts).samples, 2U);
  EXPECT_EQ(CountOf("PAYMENT share", 2, counts).sum, 0U);
}

TEST(InputTally, StartsAnewWhenTakenAndAddsToWhatOthersCounted) {
  Inputs inputs;
  inputs.op = Op::kOrderStatus;
  InputTally tally(1);
  tally.Add(inputs);
  std::vector<InputCount> counts(InputRulesFor(1).size(), {10, 1});
  tally.Take(&counts);
  tally.Take(&counts);
  EXPECT_EQ(CountOf("ORDER_STATUS share", 1, counts).samples, 11U);
  EXPECT_EQ(CountOf("ORDER_STATUS share", 1, counts).sum, 2U);
}

}  // namespace
}  // namespace waltax::tpcc
