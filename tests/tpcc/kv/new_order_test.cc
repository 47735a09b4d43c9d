#include <gtest/gtest.h>

#include "tests/tpcc/kv/small_world.h"

namespace waltax::tpcc {
namespace {

class KvNewOrderTest : public testing::Test {
 protected:
  NewOrderOutput Enter(const NewOrderInput& input) {
    NewOrderOutput output;
    EXPECT_TRUE(Done(session_->NewOrder(input, &output)));
    return output;
  }

  SmallWorld world_;
  std::unique_ptr<Session> session_ = world_.NewSession();
};

TEST_F(KvNewOrderTest, TakesTheDistrictsNextNumber) {
  EXPECT_EQ(Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, 11})).o_id, 7);
  EXPECT_EQ(Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, 11})).o_id, 8);
  EXPECT_EQ(world_.district(1, 2)->next_o_id, 9);
  EXPECT_EQ(world_.district(1, 3)->next_o_id, 7);
}

TEST_F(KvNewOrderTest, InsertsTheOrderItsIndexRowAndItsPlaceInTheQueue) {
  const NewOrderOutput output = Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, 11}));
  const auto order = world_.order(1, 2, output.o_id);
  EXPECT_EQ(order->c_id, 3);
  EXPECT_EQ(order->entry_d, output.entry_d);
  EXPECT_EQ(order->carrier_id, 0);
  EXPECT_EQ(order->ol_cnt, 5);
  EXPECT_EQ(order->all_local, 1);
  EXPECT_TRUE(world_.Has(Table::kOrderByCustomer,
                         KeyOfOrderByCustomer(1, 2, 3, output.o_id).slice()));
  EXPECT_TRUE(
      world_.Has(Table::kNewOrder, KeyOfNewOrder(1, 2, output.o_id).slice()));
}

TEST_F(KvNewOrderTest, InsertsEachLineWithAmountAndTheDistrictsText) {
  const NewOrderOutput output = Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, 11}));
  for (uint8_t number = 1; number <= 5; ++number) {
    const uint32_t i_id = number + 6;
    const auto line = world_.line(1, 2, output.o_id, number);
    EXPECT_EQ(line->i_id, i_id);
    EXPECT_EQ(line->supply_w_id, 1);
    EXPECT_EQ(line->delivery_d, 0);
    EXPECT_EQ(line->quantity, 3);
    EXPECT_EQ(line->amount, 3 * 10 * i_id);
    EXPECT_EQ(line->dist_info, std::string(24, 'b'));
  }
  EXPECT_FALSE(world_.Has(Table::kOrderLine,
                          KeyOfOrderLine(1, 2, output.o_id, 6).slice()));
}

TEST_F(KvNewOrderTest, TakesTheQuantityFromStockAndCountsTheOrder) {
  Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, 11}));
  const auto stock = world_.stock(1, 7);
  EXPECT_EQ(stock->quantity, SmallWorld::kStocked - 3);
  EXPECT_EQ(stock->ytd, 3);
  EXPECT_EQ(stock->order_cnt, 1);
  EXPECT_EQ(stock->remote_cnt, 0);
  EXPECT_EQ(stock->dists.size(), 240);
  EXPECT_EQ(world_.stock(1, 12)->ytd, 0);
}

TEST_F(KvNewOrderTest, FillsStockUpWhenLessThanTenWouldRemain) {
  NewOrderInput input = OrderOf(1, 1, 1, {7, 8, 9, 10, 11});
  input.lines[0].quantity = 10;
  for (int i = 0; i < 4; ++i) Enter(input);
  EXPECT_EQ(world_.stock(1, 7)->quantity, 10);  // 50 - 40: just enough
  const NewOrderOutput output = Enter(input);
  EXPECT_EQ(world_.stock(1, 7)->quantity, 10 - 10 + 91);
  EXPECT_EQ(output.lines[0].s_quantity, 91);
}

TEST_F(KvNewOrderTest, CountsARemoteLineAtItsSupplier) {
  NewOrderInput input = OrderOf(1, 1, 1, {7, 8, 9, 10, 11});
  input.lines[1].supply_w_id = 2;
  const NewOrderOutput output = Enter(input);
  EXPECT_EQ(world_.order(1, 1, output.o_id)->all_local, 0);
  EXPECT_EQ(world_.line(1, 1, output.o_id, 2)->supply_w_id, 2);
  EXPECT_EQ(world_.stock(2, 8)->remote_cnt, 1);
  EXPECT_EQ(world_.stock(2, 8)->ytd, 3);
  EXPECT_EQ(world_.stock(1, 8)->ytd, 0);
  EXPECT_EQ(world_.stock(1, 7)->remote_cnt, 0);
}

TEST_F(KvNewOrderTest, LetsASecondLineOfAnItemMeetWhatTheFirstOneLeft) {
  const NewOrderOutput output = Enter(OrderOf(1, 1, 1, {7, 8, 7, 9, 7}));
  EXPECT_EQ(output.lines[0].s_quantity, 47);
  EXPECT_EQ(output.lines[2].s_quantity, 44);
  EXPECT_EQ(output.lines[4].s_quantity, 41);
  const auto stock = world_.stock(1, 7);
  EXPECT_EQ(stock->quantity, 41);
  EXPECT_EQ(stock->ytd, 9);
  EXPECT_EQ(stock->order_cnt, 3);
}

TEST_F(KvNewOrderTest, ShowsWhatClause2433Wants) {
  const NewOrderOutput output = Enter(OrderOf(1, 1, 6, {1, 2, 4, 3, 5}));
  EXPECT_EQ(output.c_last, "ABLEABLEABLE");
  EXPECT_EQ(output.c_credit, "BC");
  EXPECT_EQ(output.c_discount, 2000);
  EXPECT_EQ(output.w_tax, 1000);
  EXPECT_EQ(output.d_tax, 500);
  EXPECT_EQ(output.lines[1].i_name, "thing");
  EXPECT_EQ(output.lines[1].i_price, 20);
  EXPECT_EQ(output.lines[1].amount, 60);
  // Both texts must say it: item 2's stock does not, item 4's does.
  EXPECT_EQ(output.lines[1].brand_generic, 'G');
  EXPECT_EQ(output.lines[2].brand_generic, 'B');
  // (10 + 20 + 40 + 30 + 50) * 3 * 0.8 * 1.15 = 414 cents.
  EXPECT_EQ(output.total_amount, 414);
}

TEST_F(KvNewOrderTest, RoundsTheTotalToTheNearestCent) {
  NewOrderInput input = OrderOf(1, 1, 1, {1, 2, 3, 4, 5});
  for (auto& line : input.lines) line.quantity = 1;
  // 150 * 0.8 * 1.15 = 138; 160 * 0.92 = 147.2; 170 * 0.92 = 156.4 ...
  EXPECT_EQ(Enter(input).total_amount, 138);
  input.lines[4].i_id = 8;  // 180 * 0.92 = 165.6
  EXPECT_EQ(Enter(input).total_amount, 166);
  input.lines[4].i_id = 6;  // 160 * 0.92 = 147.2
  EXPECT_EQ(Enter(input).total_amount, 147);
}

TEST_F(KvNewOrderTest, WritesNothingWhenAnItemIsUnknown) {
  const uint64_t lines = world_.Count(Table::kOrderLine);
  const uint64_t before = world_.tables().db->GetLatestSequenceNumber();
  const NewOrderOutput output =
      Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, kUnusedItem}));
  EXPECT_TRUE(output.rolled_back);
  EXPECT_EQ(output.o_id, 7);
  EXPECT_EQ(world_.tables().db->GetLatestSequenceNumber(), before);
  EXPECT_EQ(world_.district(1, 2)->next_o_id, 7);
  EXPECT_EQ(world_.stock(1, 7)->ytd, 0);
  EXPECT_EQ(world_.Count(Table::kOrderLine), lines);
}

TEST_F(KvNewOrderTest, WorksOnAllItemsThatExistBeforeItRollsBack) {
  const NewOrderOutput output =
      Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, kUnusedItem}));
  EXPECT_EQ(output.lines[3].i_price, 100);
  EXPECT_EQ(output.lines[3].amount, 300);
  EXPECT_EQ(output.lines[3].s_quantity, 47);
}

TEST_F(KvNewOrderTest, GivesItsNumberBackWhenItRollsBack) {
  Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, kUnusedItem}));
  const NewOrderOutput next = Enter(OrderOf(1, 2, 3, {7, 8, 9, 10, 11}));
  EXPECT_FALSE(next.rolled_back);
  EXPECT_EQ(next.o_id, 7);
}

TEST_F(KvNewOrderTest, SaysWhichTableLacksARow) {
  NewOrderOutput output;
  const Reply reply =
      session_->NewOrder(OrderOf(3, 1, 1, {1, 2, 3, 4, 5}), &output);
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find("district"), std::string::npos) << *reply.error;
}

}  // namespace
}  // namespace waltax::tpcc
