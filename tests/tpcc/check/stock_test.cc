// The counters of stock, and the orders that are known from outside.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/tpcc/check/fixture.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {
namespace {

using Orders = std::vector<AcknowledgedOrder>;

class CheckStockTest : public CheckTest {};

TEST_F(CheckStockTest, ComparesStockWithTheLinesOfItsWarehouse) {
  PlaceOrder();
  ChangeStock(1, 12, [](Stock* row) { row->ytd -= 3; });
  ChangeStock(1, 13, [](Stock* row) { --row->order_cnt; });
  ChangeStock(1, 14, [](Stock* row) { ++row->remote_cnt; });
  ChangeStock(2, 99, [](Stock* row) { row->ytd += 8; });
  EXPECT_EQ(Violations(),
            Sentences({"stock: warehouse 1: the sum of S_ORDER_CNT less that "
                       "of the order lines is -1, want 0",
                       "stock: warehouse 1: the sum of S_REMOTE_CNT less that "
                       "of the order lines is 1, want 0",
                       "stock: warehouse 1: the sum of S_YTD less that of the "
                       "order lines is -3, want 0",
                       "stock: warehouse 2: the sum of S_YTD less that of the "
                       "order lines is 8, want 0"}));
}

TEST_F(CheckStockTest, ComparesStockWithTheLinesOfOtherWarehouses) {
  PlaceOrder();
  ChangeStock(2, 15, [](Stock* row) {
    row->ytd -= 3;
    row->remote_cnt = 0;
  });
  EXPECT_EQ(Violations(),
            Sentences({"stock: warehouse 2: the sum of S_REMOTE_CNT less that "
                       "of the order lines is -1, want 0",
                       "stock: warehouse 2: the sum of S_YTD less that of the "
                       "order lines is -3, want 0"}));
}

TEST_F(CheckStockTest, FindsLinesOfStockThatCannotBe) {
  PlaceOrder();
  ChangeLine(3001, 1, [](OrderLine* row) { row->i_id = 100'001; });
  ChangeLine(3001, 5, [](OrderLine* row) { row->supply_w_id = 99; });
  const Sentences found = Violations();
  const auto count = [&found](const std::string& part) {
    return std::count_if(found.begin(), found.end(), [&](const auto& sentence) {
      return sentence.find(part) != std::string::npos;
    });
  };
  EXPECT_EQ(count("line 1: there is no stock of item 100001 in warehouse 1"),
            1);
  EXPECT_EQ(count("line 5: there is no stock of item 15 in warehouse 99"), 1);
}

TEST_F(CheckStockTest, WantsTheLowWaterMarkNotAboveTheOldestNewOrder) {
  const OrderKey mark = KeyOfOldestNewOrder(1, 2);
  store_->Write(Table::kNewOrder, mark.slice(), {"\x34\x08\0\0", 4});  // 2100
  EXPECT_EQ(Violations(), Sentences());
  store_->Write(Table::kNewOrder, mark.slice(), {"\x36\x08\0\0", 4});  // 2102
  EXPECT_EQ(Violations(),
            Sentences({"low-water mark: warehouse 1: district 2: it is 2102, "
                       "the oldest NEW-ORDER 2101"}));
  store_->Erase(Table::kNewOrder, mark.slice());
  EXPECT_EQ(Violations(), Sentences({"low-water mark: warehouse 1: district 2: "
                                     "the row is missing"}));
}

TEST_F(CheckStockTest, WantsStockOf10To100) {
  ChangeStock(1, 12, [](Stock* row) { row->quantity = 9; });
  ChangeStock(2, 13, [](Stock* row) { row->quantity = 101; });
  EXPECT_EQ(
      Violations(),
      Sentences(
          {"stock: warehouse 1: item 12: S_QUANTITY is 9, want 10 to 100",
           "stock: warehouse 2: item 13: S_QUANTITY is 101, want 10 to 100"}));
  ChangeStock(1, 12, [](Stock* row) { row->quantity = 10; });
  ChangeStock(2, 13, [](Stock* row) { row->quantity = 100; });
  EXPECT_EQ(Violations(), Sentences());
}

TEST_F(CheckStockTest, CountsWhatItComparedWithWhatIsKnown) {
  PlaceOrder();
  CheckExpectations expect;
  CheckResult result;
  ASSERT_TRUE(CheckConsistency(*store_, 2, 2, expect, &result).ok());
  std::map<std::string, uint64_t> counted(result.counted.begin(),
                                          result.counted.end());
  EXPECT_FALSE(counted.contains("acknowledged orders"));
  EXPECT_FALSE(result.acknowledged.has_value());
  expect.acknowledged = Orders{{1, 2, 3001, 4}, {1, 2, 3002, 4}};
  ASSERT_TRUE(CheckConsistency(*store_, 2, 2, expect, &result).ok());
  counted = {result.counted.begin(), result.counted.end()};
  EXPECT_EQ(counted["acknowledged orders"], 2U);
}

TEST_F(CheckStockTest, WantsTheOrdersThatWereCommitted) {
  PlaceOrder();
  CheckExpectations expect;
  expect.next_orders = 20 * 3001 + 1;
  EXPECT_EQ(Violations(expect), Sentences());
  for (const int more : {2, 0}) {
    expect.next_orders = 20 * 3001 + more;
    EXPECT_EQ(Violations(expect),
              Sentences({fmt::format("committed: the sum of D_NEXT_O_ID is "
                                     "60021, the committed New-Orders make it "
                                     "{}",
                                     60'020 + more)}));
  }
}

TEST_F(CheckStockTest, WantsTheOrdersThatWereAcknowledged) {
  PlaceOrder();
  CheckExpectations expect;
  expect.acknowledged = Orders{{1, 2, 3001, 4}};
  EXPECT_EQ(Violations(expect), Sentences());
  expect.acknowledged =
      Orders{{1, 2, 3002, 4}, {1, 2, 3001, 4}, {1, 2, 3001, 5}, {3, 1, 1, 1}};
  EXPECT_EQ(Violations(expect),
            Sentences({"acknowledged: warehouse 1: district 2: order 3001 of "
                       "customer 5: O_C_ID is 4",
                       "acknowledged: warehouse 1: district 2: order 3001 of "
                       "customer 5: its number was given out twice",
                       "acknowledged: warehouse 1: district 2: order 3002 of "
                       "customer 4: there is no such order",
                       "acknowledged: warehouse 3: district 1: order 1 of "
                       "customer 1: there is no such district"}));
}

TEST_F(CheckStockTest, SaysHowManyAcknowledgementsAreLostAndWhichIsTheOldest) {
  PlaceOrder();
  CheckExpectations expect;
  expect.acknowledged =
      Orders{{1, 2, 3001, 4}, {1, 2, 3002, 4}, {1, 2, 3001, 5}, {3, 1, 1, 1}};
  const Acknowledged found =
      Result(expect).acknowledged.value_or(Acknowledged());
  EXPECT_EQ(found.count, 4U);
  EXPECT_EQ(found.lost, 3U);
  EXPECT_EQ(found.oldest_lost, 1U);
}

}  // namespace
}  // namespace waltax::tpcc
