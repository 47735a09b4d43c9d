// Order-Status and Stock-Level.
#include <gtest/gtest.h>

#include "tests/tpcc/kv_small_world.h"

namespace waltax::tpcc {
namespace {

class KvQueriesTest : public testing::Test {
 protected:
  OrderStatusOutput StatusBy(const OrderStatusInput& input) {
    OrderStatusOutput output;
    EXPECT_TRUE(Done(session_->OrderStatus(input, &output)));
    return output;
  }
  uint32_t LowStock(uint8_t d, int32_t threshold) {
    StockLevelOutput output;
    EXPECT_TRUE(Done(session_->StockLevel(
        {.w_id = 1, .d_id = d, .threshold = threshold}, &output)));
    return output.low_stock;
  }
  NewOrderOutput Enter(const NewOrderInput& input) {
    NewOrderOutput output;
    EXPECT_TRUE(Done(session_->NewOrder(input, &output)));
    return output;
  }

  SmallWorld world_;
  std::unique_ptr<Session> session_ = world_.NewSession();
};

TEST_F(KvQueriesTest, OrderStatusShowsTheNewestOrderWithAllItsLines) {
  Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, 11}));
  const NewOrderOutput newest =
      Enter(OrderOf(1, 2, 3, {12, 13, 14, 15, 16, 17}));
  Enter(OrderOf(1, 2, 4, {7, 8, 9, 10, 11}));
  const OrderStatusOutput output = StatusBy(StatusOf(1, 2, 3));
  EXPECT_EQ(output.c_id, 3);
  EXPECT_EQ(output.c_balance, -1000);
  EXPECT_EQ(output.o_id, newest.o_id);
  EXPECT_EQ(output.entry_d, newest.entry_d);
  EXPECT_EQ(output.carrier_id, 0);
  ASSERT_EQ(output.lines.size(), 6);
  EXPECT_EQ(output.lines[5].i_id, 17);
  EXPECT_EQ(output.lines[5].supply_w_id, 1);
  EXPECT_EQ(output.lines[5].quantity, 3);
  EXPECT_EQ(output.lines[5].amount, 510);
  EXPECT_EQ(output.lines[5].delivery_d, 0);
}

TEST_F(KvQueriesTest, OrderStatusShowsCarrierAndDateOfADeliveredOrder) {
  const OrderStatusOutput output = StatusBy(StatusOf(1, 2, 3));
  EXPECT_EQ(output.o_id, 3);
  EXPECT_EQ(output.carrier_id, 1);
  EXPECT_EQ(output.lines.at(0).delivery_d, SmallWorld::kLongAgo);
}

TEST_F(KvQueriesTest, OrderStatusChoosesTheMiddleNamesake) {
  OrderStatusInput input = StatusOf(1, 2, 0);
  input.customer.last = "BARBARBAR";
  EXPECT_EQ(StatusBy(input).c_id, 3);
}

TEST_F(KvQueriesTest, StockLevelCountsEachLowItemOnce) {
  // All six orders name items 1 to 5, with 50 in stock.
  EXPECT_EQ(LowStock(1, 51), 5);
  EXPECT_EQ(LowStock(1, 50), 0);
  Enter(OrderOf(1, 2, 1, {1, 2, 20, 21, 22}));
  EXPECT_EQ(LowStock(1, 50), 2);
}

TEST_F(KvQueriesTest, StockLevelLooksAtTheDistrictsLastTwentyOrdersOnly) {
  Enter(OrderOf(1, 1, 1, {31, 32, 33, 34, 35}));
  for (int i = 0; i < 19; ++i) Enter(OrderOf(1, 1, 1, {36, 37, 38, 39, 40}));
  EXPECT_EQ(LowStock(1, 1000), 10);
  Enter(OrderOf(1, 1, 1, {36, 37, 38, 39, 40}));
  EXPECT_EQ(LowStock(1, 1000), 5);
  EXPECT_EQ(LowStock(2, 1000), 5);
}

TEST_F(KvQueriesTest, StockLevelLooksAtTheHomeWarehousesStock) {
  NewOrderInput remote = OrderOf(1, 1, 1, {31, 32, 33, 34, 35});
  for (auto& line : remote.lines) line.supply_w_id = 2;
  Enter(remote);
  EXPECT_EQ(LowStock(1, 50), 0);
}

}  // namespace
}  // namespace waltax::tpcc
