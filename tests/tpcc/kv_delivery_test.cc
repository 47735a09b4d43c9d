#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/tpcc/kv_small_world.h"

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
  EXPECT_TRUE(reply.fatal);
}

}  // namespace
}  // namespace waltax::tpcc
