// The memory store: its population, its scans, and New-Order.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/tpcc/memory_fixture.h"

namespace waltax::tpcc {
namespace {

TEST_F(Memory, HoldsAConsistentPopulation) {
  EXPECT_EQ(Violations(), std::vector<std::string>());
}

TEST_F(Memory, ScansOnlyWhatBeginsWithThePrefix) {
  const auto count = [&](Table table, const auto& key) {
    return RowsOf(store_, table, key.slice().ToStringView()).size();
  };
  EXPECT_EQ(count(Table::kCustomer, KeyOfDistrict(2, 3)), 3000U);
  EXPECT_EQ(count(Table::kCustomer, KeyOfWarehouse(2)), 30'000U);
  EXPECT_EQ(count(Table::kStock, KeyOfWarehouse(1)), 100'000U);
  EXPECT_EQ(count(Table::kNewOrder, KeyOfDistrict(1, 1)), 901U);
  EXPECT_EQ(count(Table::kOrder, KeyOfOrder(1, 1, 17)), 1U);
  EXPECT_EQ(count(Table::kHistory, KeyOfCustomer(1, 1, 17)), 1U);
  EXPECT_EQ(count(Table::kItem, KeyOfItem(5)), 1U);
}

TEST_F(Memory, ScansEveryTableInTheOrderOfItsKeys) {
  Buy(7, {{1, 1, 1}});
  for (const Rows& rows : ContentOf(store_)) {
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
    EXPECT_FALSE(rows.empty());
  }
}

TEST_F(Memory, GivesANewOrderTheDistrictsNextNumber) {
  EXPECT_EQ(Buy(7, {{1, 1, 1}}).o_id, 3001U);
  EXPECT_EQ(Buy(8, {{1, 1, 1}}).o_id, 3002U);
  EXPECT_EQ(district(1, kD)->next_o_id, 3003U);
  EXPECT_EQ(district(1, kD + 1)->next_o_id, 3001U);
  EXPECT_EQ(order(kD, 3002)->c_id, 8U);
  EXPECT_EQ(order(kD, 3002)->carrier_id, 0);
  EXPECT_EQ(RowsOf(store_, Table::kNewOrder,
                   KeyOfNewOrder(1, kD, 3002).slice().ToStringView())
                .size(),
            1U);
}

TEST_F(Memory, TakesWhatANewOrderNamesFromTheSuppliersStock) {
  const int32_t at_home = stock(1, 11)->quantity;
  const int32_t remote = stock(2, 22)->quantity;
  const NewOrderOutput shown = Buy(7, {{11, 1, 1}, {22, 2, 9}});
  EXPECT_EQ(stock(1, 11)->quantity, at_home >= 11 ? at_home - 1 : at_home + 90);
  EXPECT_EQ(stock(1, 11)->ytd, 1U);
  EXPECT_EQ(stock(1, 11)->order_cnt, 1U);
  EXPECT_EQ(stock(1, 11)->remote_cnt, 0U);
  EXPECT_EQ(stock(2, 22)->quantity, remote >= 19 ? remote - 9 : remote + 82);
  EXPECT_EQ(stock(2, 22)->ytd, 9U);
  EXPECT_EQ(stock(2, 22)->remote_cnt, 1U);
  EXPECT_EQ(stock(1, 22)->ytd, 0U);
  EXPECT_EQ(shown.lines[1].s_quantity, stock(2, 22)->quantity);
  EXPECT_EQ(order(kD, 3001)->all_local, 0);
  EXPECT_EQ(line(kD, 3001, 2)->dist_info, stock(2, 22)->dist(kD));
}

TEST_F(Memory, RestocksBy91BeforeLessThanTenRemain) {
  int32_t before = stock(1, 33)->quantity;
  for (int i = 0; i < 200; ++i) {
    const int32_t after = Buy(7, {{33, 1, 7}}).lines[0].s_quantity;
    EXPECT_EQ(after, before - 7 >= 10 ? before - 7 : before - 7 + 91);
    before = after;
  }
}

TEST_F(Memory, PricesANewOrderWithDiscountAndTaxes) {
  const NewOrderOutput shown = Buy(7, {{11, 1, 2}, {12, 1, 3}});
  const Cents sum = 2 * item(11)->price + 3 * item(12)->price;
  EXPECT_EQ(line(kD, 3001, 1)->amount, 2 * item(11)->price);
  EXPECT_EQ(line(kD, 3001, 2)->amount, 3 * item(12)->price);
  const double total =
      static_cast<double>(sum) * (1 - customer(1, kD, 7)->discount / 1e4) *
      (1 + warehouse(1)->tax / 1e4 + district(1, kD)->tax / 1e4);
  EXPECT_NEAR(static_cast<double>(shown.total_amount), total, 0.51);
  EXPECT_EQ(shown.c_last, customer(1, kD, 7)->last);
}

TEST_F(Memory, CallsALineBrandOnlyWhenItemAndStockAreOriginal) {
  std::set<char> seen;
  for (uint32_t i = 1; i <= 500; ++i) {
    const bool original =
        item(i)->data.find("ORIGINAL") != std::string::npos &&
        stock(1, i)->data.find("ORIGINAL") != std::string::npos;
    const char brand = Buy(7, {{i, 1, 1}}).lines[0].brand_generic;
    EXPECT_EQ(brand, original ? 'B' : 'G') << i;
    seen.insert(brand);
  }
  EXPECT_EQ(seen.size(), 2U);
}

TEST_F(Memory, TakesAnItemTwiceWhenAnOrderNamesItTwice) {
  Buy(7, {{11, 1, 2}, {11, 1, 3}});
  EXPECT_EQ(stock(1, 11)->ytd, 5U);
  EXPECT_EQ(stock(1, 11)->order_cnt, 2U);
}

TEST_F(Memory, LeavesNoTraceOfAnOrderWithAnUnusedItem) {
  const std::vector<Rows> before = ContentOf(store_);
  const NewOrderOutput shown =
      Buy(7, {{11, 1, 2}, {11, 1, 3}, {12, 2, 1}, {kUnusedItem, 1, 1}});
  EXPECT_TRUE(shown.rolled_back);
  EXPECT_TRUE(ContentOf(store_) == before);
  const NewOrderOutput next = Buy(7, {{11, 1, 2}});
  EXPECT_FALSE(next.rolled_back);
  EXPECT_EQ(next.o_id, shown.o_id);
}

}  // namespace
}  // namespace waltax::tpcc
