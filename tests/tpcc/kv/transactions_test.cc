#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/tpcc/kv/small_world.h"

namespace waltax::tpcc {

namespace {

class KvDeliveryTest : public testing::Test {
 protected:
  DeliveryOutput Deliver() {
    DeliveryOutput output;
    EXPECT_TRUE(
        Done(session_->Delivery({.w_id = 1, .carrier_id = 9}, &output)));
    return output;
  }
  Reply TryToDeliver() {
    DeliveryOutput output;
    return session_->Delivery({.w_id = 1, .carrier_id = 9}, &output);
  }

  SmallWorld world_;
  std::unique_ptr<Session> session_ = world_.NewSession();
};

TEST_F(KvDeliveryTest, TakesTheOldestOrderOfEachDistrictFromTheQueue) {
  std::array<uint32_t, kDistricts> fifths{};
  fifths.fill(5);
  EXPECT_EQ(Deliver().o_ids, fifths);
  for (uint8_t d = 1; d <= kDistricts; ++d) {
    EXPECT_FALSE(world_.Has(Table::kNewOrder, KeyOfNewOrder(1, d, 5).slice()));
    EXPECT_TRUE(world_.Has(Table::kNewOrder, KeyOfNewOrder(1, d, 6).slice()));
    EXPECT_TRUE(world_.Has(Table::kNewOrder, KeyOfNewOrder(2, d, 5).slice()));
  }
  EXPECT_EQ(Deliver().o_ids[9], 6);
}

TEST_F(KvDeliveryTest, MovesTheMarkBehindWhatItDelivered) {
  EXPECT_EQ(world_.mark(1, 3), 5);
  Deliver();
  EXPECT_EQ(world_.mark(1, 3), 6);
  EXPECT_EQ(world_.mark(2, 3), 5);
}

TEST_F(KvDeliveryTest, GivesTheOrderACarrierAndEachLineADate) {
  Deliver();
  EXPECT_EQ(world_.order(1, 3, 5)->carrier_id, 9);
  EXPECT_EQ(world_.order(1, 3, 6)->carrier_id, 0);
  for (uint8_t number = 1; number <= SmallWorld::kLines; ++number) {
    const auto line = world_.line(1, 3, 5, number);
    EXPECT_GT(line->delivery_d, SmallWorld::kLongAgo);
    EXPECT_EQ(line->amount, SmallWorld::kLineAmount);
    EXPECT_EQ(line->dist_info, "abcdefghijklmnopqrstuvwx");
    EXPECT_EQ(world_.line(1, 3, 6, number)->delivery_d, 0);
  }
}

TEST_F(KvDeliveryTest, CreditsTheCustomerWithAllLines) {
  Deliver();
  const auto customer = world_.customer(1, 3, 5);
  EXPECT_EQ(customer->balance, -1000 + SmallWorld::kOrderAmount);
  EXPECT_EQ(customer->delivery_cnt, 1);
  EXPECT_EQ(customer->ytd_payment, 1000);
  EXPECT_EQ(world_.customer(1, 3, 6)->delivery_cnt, 0);
}

TEST_F(KvDeliveryTest, SkipsADistrictWhereNothingWaits) {
  Deliver();
  Deliver();
  NewOrderOutput order;
  ASSERT_TRUE(
      Done(session_->NewOrder(OrderOf(1, 4, 2, {7, 8, 9, 10, 11}), &order)));
  const DeliveryOutput output = Deliver();
  EXPECT_EQ(std::count(output.o_ids.begin(), output.o_ids.end(), 0), 9);
  EXPECT_EQ(output.o_ids[3], order.o_id);
  EXPECT_EQ(world_.customer(1, 4, 2)->delivery_cnt, 1);
}

TEST_F(KvDeliveryTest, WritesNothingWhereNothingWaits) {
  Deliver();
  Deliver();
  const uint64_t before = world_.tables().db->GetLatestSequenceNumber();
  EXPECT_EQ(Deliver().o_ids, DeliveryOutput().o_ids);
  EXPECT_EQ(world_.tables().db->GetLatestSequenceNumber(), before);
}

TEST_F(KvDeliveryTest, FindsTheOldestOrderAlsoFromAMarkThatIsTooLow) {
  const uint32_t low = 1;
  world_.PutBytes(Table::kNewOrder, KeyOfOldestNewOrder(1, 1).slice(),
                  {reinterpret_cast<const char*>(&low), sizeof(low)});
  EXPECT_EQ(Deliver().o_ids[0], 5);
}

TEST_F(KvDeliveryTest, RefusesAnOrderThatWasDeliveredAlready) {
  world_.PutBytes(Table::kNewOrder, KeyOfNewOrder(1, 2, 4).slice(), "");
  const uint32_t low = 1;
  world_.PutBytes(Table::kNewOrder, KeyOfOldestNewOrder(1, 2).slice(),
                  {reinterpret_cast<const char*>(&low), sizeof(low)});
  const Reply reply = TryToDeliver();
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find("was delivered"), std::string::npos);
  EXPECT_EQ(world_.customer(1, 1, 5)->delivery_cnt, 0);
}

TEST_F(KvDeliveryTest, RefusesAnOrderThatLacksALine) {
  const KvTables& tables = world_.tables();
  ASSERT_TRUE(tables.db
                  ->Delete(rocksdb::WriteOptions(), tables[Table::kOrderLine],
                           KeyOfOrderLine(1, 2, 5, 3).slice())
                  .ok());
  const Reply reply = TryToDeliver();
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find("order_line"), std::string::npos);
}

}  // namespace

namespace {

class KvPaymentTest : public testing::Test {
 protected:
  PaymentOutput Pay(const PaymentInput& input) {
    PaymentOutput output;
    EXPECT_TRUE(Done(session_->Payment(input, &output)));
    return output;
  }
  uint32_t PayerNamed(std::string_view last) {
    PaymentInput input = PaymentOf(1, 1, 0, 100);
    input.customer.last = last;
    return Pay(input).c_id;
  }

  SmallWorld world_;
  std::unique_ptr<Session> session_ = world_.NewSession();
};

TEST_F(KvPaymentTest, AddsToWarehouseAndDistrict) {
  const Cents w_ytd = world_.warehouse(1)->ytd;
  const Cents d_ytd = world_.district(1, 4)->ytd;
  Pay(PaymentOf(1, 4, 2, 12345));
  EXPECT_EQ(world_.warehouse(1)->ytd, w_ytd + 12345);
  EXPECT_EQ(world_.district(1, 4)->ytd, d_ytd + 12345);
  EXPECT_EQ(world_.district(1, 4)->next_o_id, 7);
  EXPECT_EQ(world_.warehouse(2)->ytd, w_ytd);
}

TEST_F(KvPaymentTest, UpdatesAllThreeColumnsOfTheCustomer) {
  const PaymentOutput output = Pay(PaymentOf(1, 4, 2, 12345));
  const auto customer = world_.customer(1, 4, 2);
  EXPECT_EQ(customer->balance, -1000 - 12345);
  EXPECT_EQ(customer->ytd_payment, 1000 + 12345);
  EXPECT_EQ(customer->payment_cnt, 2);
  EXPECT_EQ(customer->data, "first data");
  EXPECT_EQ(customer->last, "BARBARBAR");
  EXPECT_EQ(output.c_balance, customer->balance);
  EXPECT_EQ(output.c_credit_lim, 5'000'000);
  EXPECT_EQ(output.c_credit, "GC");
  EXPECT_EQ(output.c_data, "");
}

TEST_F(KvPaymentTest, KeepsEachPaymentAsHistoryOfItsCustomer) {
  PaymentInput input = PaymentOf(1, 4, 2, 12345);
  input.customer.w_id = 2;
  input.customer.d_id = 9;
  const PaymentOutput output = Pay(input);
  Pay(input);
  const ReadBack<History> history(world_.tables(), Table::kHistory,
                                  KeyOfHistory(2, 9, 2, 2).slice());
  EXPECT_EQ(history->w_id, 1);
  EXPECT_EQ(history->d_id, 4);
  EXPECT_EQ(history->amount, 12345);
  EXPECT_EQ(history->date, output.date);
  EXPECT_EQ(history->data, "North    Upper");
  EXPECT_TRUE(world_.Has(Table::kHistory, KeyOfHistory(2, 9, 2, 3).slice()));
  EXPECT_EQ(world_.customer(2, 9, 2)->payment_cnt, 3);
}

TEST_F(KvPaymentTest, PutsThePaymentBeforeTheDataOfABadCredit) {
  const PaymentOutput output = Pay(PaymentOf(1, 4, 6, 12305));
  EXPECT_EQ(world_.customer(1, 4, 6)->data, "6 4 1 4 1 123.05 first data");
  EXPECT_EQ(output.c_credit, "BC");
  EXPECT_EQ(output.c_data, "6 4 1 4 1 123.05 first data");
}

TEST_F(KvPaymentTest, CutsTheDataOfABadCreditAt500AndShows200) {
  for (int i = 0; i < 40; ++i) Pay(PaymentOf(1, 4, 6, 12305));
  const PaymentOutput output = Pay(PaymentOf(1, 4, 6, 777));
  const auto customer = world_.customer(1, 4, 6);
  EXPECT_EQ(customer->data.size(), 500);
  EXPECT_TRUE(customer->data.starts_with("6 4 1 4 1 7.77 6 4 1 4 1 123.05 "));
  EXPECT_EQ(output.c_data, customer->data.substr(0, 200));
}

TEST_F(KvPaymentTest, ChoosesTheMiddleOneOfAnOddNumberOfNamesakes) {
  // By first name: Anna (2), Bert (3), Carl (1).
  EXPECT_EQ(PayerNamed("BARBARBAR"), 3);
}

TEST_F(KvPaymentTest, ChoosesTheFirstOfTwoNamesakes) {
  // By first name: Yan (5), Zoe (4).
  EXPECT_EQ(PayerNamed("OUGHTOUGHTOUGHT"), 5);
}

TEST_F(KvPaymentTest, TakesNoNameThatOnlyBeginsLikeIt) {
  std::string longer;
  AppendCustomerByName(1, 1, "ABLEABLEABLEX", "Aaa", 1, &longer);
  world_.PutBytes(Table::kCustomerByName, longer, "");
  EXPECT_EQ(PayerNamed("ABLEABLEABLE"), 6);
}

}  // namespace

// Order-Status and Stock-Level.

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
