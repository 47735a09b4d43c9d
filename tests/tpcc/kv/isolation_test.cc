// The nine isolation tests of clause 3.4.2, at level "serializable". Clause
// 3.4.2 describes outcomes for schemes with locks; each test names how this one
// gets there:
//   1, 2, 9: the reader does not wait, but sees the committed state before;
//   3 to 6, 8: the second writer waits for the first one's locks;
//   7: the reader keeps what it has read, the writer does not wait.
#include <gtest/gtest.h>

#include <memory>

#include "tests/tpcc/kv/party.h"
#include "tests/tpcc/kv/small_world.h"
#include "tpcc/kv/delivery.h"
#include "tpcc/kv/new_order.h"
#include "tpcc/kv/transactions.h"

namespace waltax::tpcc {
namespace {

using End = Party::End;

class KvIsolationTest : public testing::Test {
 protected:
  static constexpr uint32_t kNext = SmallWorld::kCustomers + 1;

  OrderStatusOutput StatusOfCustomer3() {
    OrderStatusOutput output;
    EXPECT_TRUE(
        Done(world_.NewSession()->OrderStatus(StatusOf(1, 1, 3), &output)));
    return output;
  }
  // Begins a New-Order of customer 3, which holds after its last statement.
  void StartHeldOrder(End end) {
    first_.Start(
        [this] {
          const auto status = first_order_.Try(order_, &first_output_);
          return status.ok() ? first_.Hold() : status;
        },
        end);
    first_.AwaitHold();
  }
  std::unique_ptr<rocksdb::Transaction> LockOf(Table table,
                                               const rocksdb::Slice& key) {
    std::unique_ptr<rocksdb::Transaction> holder(
        world_.tables().db->BeginTransaction(rocksdb::WriteOptions()));
    EXPECT_TRUE(holder
                    ->GetForUpdate(rocksdb::ReadOptions(),
                                   world_.tables()[table], key,
                                   static_cast<std::string*>(nullptr))
                    .ok());
    return holder;
  }
  void MakeItem7Dearer() {
    world_.Put(
        Table::kItem, KeyOfItem(7).slice(),
        Item{.im_id = 7, .price = 9999, .name = "thing", .data = "dearer"});
  }
  void StartSecondOrder() {
    second_.Start(
        [this] { return second_order_.Try(order_, &second_output_); });
  }

  SmallWorld world_;
  const NewOrderInput order_ = OrderOf(1, 1, 3, {7, 8, 9, 10, 11});
  Party first_{world_.tables()};
  Party second_{world_.tables()};
  KvNewOrder first_order_{&first_.rows()};
  KvNewOrder second_order_{&second_.rows()};
  KvDelivery delivery_{&first_.rows()};
  NewOrderOutput first_output_;
  NewOrderOutput second_output_;
  DeliveryOutput delivered_;
};

TEST_F(KvIsolationTest, Test1OrderStatusSeesTheStateBeforeAnUncommittedOrder) {
  StartHeldOrder(End::kCommit);
  const OrderStatusOutput before = StatusOfCustomer3();
  EXPECT_EQ(before.o_id, 3);
  EXPECT_EQ(before.lines.size(), 5);
  first_.Release();
  ASSERT_TRUE(first_.Join().ok());
  EXPECT_EQ(StatusOfCustomer3().o_id, kNext);
}

TEST_F(KvIsolationTest, Test2OrderStatusNeverSeesAnOrderThatRollsBack) {
  StartHeldOrder(End::kRollback);
  EXPECT_EQ(StatusOfCustomer3().o_id, 3);
  first_.Release();
  ASSERT_TRUE(first_.Join().IsIncomplete());
  EXPECT_EQ(StatusOfCustomer3().o_id, 3);
}

TEST_F(KvIsolationTest, Test3ASecondOrderWaitsAndTakesTheNextNumber) {
  StartHeldOrder(End::kCommit);
  StartSecondOrder();
  EXPECT_TRUE(second_.AwaitsALock());
  first_.Release();
  ASSERT_TRUE(first_.Join().ok());
  ASSERT_TRUE(second_.Join().ok());
  EXPECT_EQ(first_output_.o_id, kNext);
  EXPECT_EQ(second_output_.o_id, kNext + 1);
  EXPECT_EQ(world_.district(1, 1)->next_o_id, kNext + 2);
  EXPECT_EQ(world_.stock(1, 7)->ytd, 6);
}

TEST_F(KvIsolationTest, Test4ASecondOrderWaitsAndTakesANumberThatWasGivenBack) {
  StartHeldOrder(End::kRollback);
  StartSecondOrder();
  EXPECT_TRUE(second_.AwaitsALock());
  first_.Release();
  ASSERT_TRUE(first_.Join().IsIncomplete());
  ASSERT_TRUE(second_.Join().ok());
  EXPECT_EQ(second_output_.o_id, kNext);
  EXPECT_EQ(world_.district(1, 1)->next_o_id, kNext + 1);
  EXPECT_EQ(world_.stock(1, 7)->ytd, 3);
}

TEST_F(KvIsolationTest, Test5ADeliveryWaitsForAPaymentOfTheSameCustomer) {
  KvTransactions payment(&first_.rows());
  PaymentOutput paid;
  first_.Start([&] {
    const auto status = payment.TryPayment(PaymentOf(1, 1, 5, 4200), &paid);
    return status.ok() ? first_.Hold() : status;
  });
  first_.AwaitHold();
  KvDelivery delivery(&second_.rows());
  second_.Start(
      [&] { return delivery.Try({.w_id = 1, .carrier_id = 9}, &delivered_); });
  EXPECT_TRUE(second_.AwaitsALock());
  first_.Release();
  ASSERT_TRUE(first_.Join().ok());
  ASSERT_TRUE(second_.Join().ok());
  const auto customer = world_.customer(1, 1, 5);
  EXPECT_EQ(customer->balance, -1000 - 4200 + SmallWorld::kOrderAmount);
  EXPECT_EQ(customer->payment_cnt, 2);
  EXPECT_EQ(customer->delivery_cnt, 1);
}

TEST_F(KvIsolationTest, Test6APaymentWaitsForADeliveryThatRollsBack) {
  first_.Start(
      [this] {
        const auto status =
            delivery_.Try({.w_id = 1, .carrier_id = 9}, &delivered_);
        return status.ok() ? first_.Hold() : status;
      },
      End::kRollback);
  first_.AwaitHold();
  KvTransactions payment(&second_.rows());
  PaymentOutput paid;
  second_.Start(
      [&] { return payment.TryPayment(PaymentOf(1, 1, 5, 4200), &paid); });
  EXPECT_TRUE(second_.AwaitsALock());
  first_.Release();
  ASSERT_TRUE(first_.Join().IsIncomplete());
  ASSERT_TRUE(second_.Join().ok());
  EXPECT_EQ(world_.customer(1, 1, 5)->balance, -1000 - 4200);
  EXPECT_EQ(world_.customer(1, 1, 5)->delivery_cnt, 0);
  EXPECT_TRUE(world_.Has(Table::kNewOrder, KeyOfNewOrder(1, 1, 5).slice()));
}

TEST_F(KvIsolationTest, Test7AnOrderKeepsThePriceThatItHasReadForAllItsLines) {
  // A lock on stock stops the order when it has read the prices.
  const auto barrier = LockOf(Table::kStock, KeyOfStock(1, 7).slice());
  const NewOrderInput twice = OrderOf(1, 1, 3, {7, 8, 7, 9, 10});
  first_.Start([&] { return first_order_.Try(twice, &first_output_); });
  ASSERT_TRUE(first_.AwaitsALock());
  MakeItem7Dearer();
  ASSERT_TRUE(barrier->Rollback().ok());
  ASSERT_TRUE(first_.Join().ok());
  EXPECT_EQ(first_output_.lines[0].i_price, 70);
  EXPECT_EQ(first_output_.lines[2].i_price, 70);
  EXPECT_EQ(world_.line(1, 1, kNext, 3)->amount, 210);

  second_.Start([&] { return second_order_.Try(twice, &second_output_); });
  ASSERT_TRUE(second_.Join().ok());
  EXPECT_EQ(second_output_.lines[0].i_price, 9999);
}

TEST_F(KvIsolationTest, Test7AnOrderSeesPricesThatChangedWhileItWaited) {
  // Its district's earlier orders may have used them.
  const auto barrier = LockOf(Table::kDistrict, KeyOfDistrict(1, 1).slice());
  StartSecondOrder();
  ASSERT_TRUE(second_.AwaitsALock());
  MakeItem7Dearer();
  ASSERT_TRUE(barrier->Rollback().ok());
  ASSERT_TRUE(second_.Join().ok());
  EXPECT_EQ(second_output_.lines[0].i_price, 9999);
}

TEST_F(KvIsolationTest, Test8AnOrderWaitsForADeliveryThatFoundNothing) {
  const auto session = world_.NewSession();
  const DeliveryInput input{.w_id = 1, .carrier_id = 9};
  for (uint32_t o = SmallWorld::kFirstWaiting; o < kNext; ++o) {
    ASSERT_TRUE(Done(session->Delivery(input, &delivered_)));
  }
  DeliveryOutput again;
  first_.Start([&] {
    auto status = delivery_.Try(input, &delivered_);
    if (status.ok()) status = first_.Hold();
    return status.ok() ? delivery_.Try(input, &again) : status;
  });
  first_.AwaitHold();
  StartSecondOrder();
  EXPECT_TRUE(second_.AwaitsALock());
  first_.Release();
  ASSERT_TRUE(first_.Join().ok());
  ASSERT_TRUE(second_.Join().ok());
  EXPECT_EQ(delivered_.o_ids[0], 0);
  EXPECT_EQ(again.o_ids[0], 0);
  ASSERT_TRUE(Done(session->Delivery(input, &again)));
  EXPECT_EQ(again.o_ids[0], second_output_.o_id);
}

TEST_F(KvIsolationTest, Test9OrderStatusSeesTheSameNewestOrderTwice) {
  KvRows rows(world_.tables(), rocksdb::WriteOptions(), 0, 1);
  KvTransactions order_status(&rows);
  OrderStatusOutput output;
  rocksdb::ManagedSnapshot snapshot(world_.tables().db);
  ASSERT_TRUE(
      order_status.ReadOrder(StatusOf(1, 1, 3), snapshot.snapshot(), &output)
          .ok());
  EXPECT_EQ(output.o_id, 3);
  first_.Start([this] { return first_order_.Try(order_, &first_output_); });
  ASSERT_TRUE(first_.Join().ok());
  ASSERT_TRUE(
      order_status.ReadOrder(StatusOf(1, 1, 3), snapshot.snapshot(), &output)
          .ok());
  EXPECT_EQ(output.o_id, 3);
  EXPECT_EQ(StatusOfCustomer3().o_id, kNext);
}

}  // namespace
}  // namespace waltax::tpcc
