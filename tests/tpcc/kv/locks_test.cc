// In which order the transactions take their locks.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "tests/tpcc/kv/party.h"
#include "tests/tpcc/kv/small_world.h"
#include "tpcc/kv/delivery.h"
#include "tpcc/kv/new_order.h"
#include "tpcc/kv/transactions.h"

namespace waltax::tpcc {
namespace {

class KvLocksTest : public testing::Test {
 protected:
  using Statements = std::function<rocksdb::Status()>;

  // Whether anybody holds this lock: asks for it without waiting.
  bool IsHeld(Table table, const rocksdb::Slice& key) {
    rocksdb::TransactionOptions at_once;
    at_once.lock_timeout = 0;
    const std::unique_ptr<rocksdb::Transaction> probe(
        world_.tables().db->BeginTransaction(rocksdb::WriteOptions(), at_once));
    return probe
        ->GetForUpdate(rocksdb::ReadOptions(), world_.tables()[table], key,
                       static_cast<std::string*>(nullptr))
        .IsTimedOut();
  }
  // Lets the statements run until they wait for this lock.
  void StopAt(Table table, const rocksdb::Slice& key,
              const Statements& statements) {
    barrier_.reset(
        world_.tables().db->BeginTransaction(rocksdb::WriteOptions()));
    ASSERT_TRUE(barrier_
                    ->GetForUpdate(rocksdb::ReadOptions(),
                                   world_.tables()[table], key,
                                   static_cast<std::string*>(nullptr))
                    .ok());
    party_.Start(statements);
    ASSERT_TRUE(party_.AwaitsALock());
  }
  void GoOn() {
    ASSERT_TRUE(barrier_->Rollback().ok());
    ASSERT_TRUE(party_.Join().ok());
  }

  SmallWorld world_;
  Party party_{world_.tables()};
  std::unique_ptr<rocksdb::Transaction> barrier_;
};

TEST_F(KvLocksTest, NewOrderLocksItsDistrictAndThenStockInTheOrderOfItsKeys) {
  KvNewOrder new_order(&party_.rows());
  NewOrderInput input = OrderOf(2, 1, 1, {30, 10, 20, 10, 40});
  input.lines[4].supply_w_id = 1;
  NewOrderOutput output;
  StopAt(Table::kStock, KeyOfStock(2, 20).slice(),
         [&] { return new_order.Try(input, &output); });
  EXPECT_TRUE(IsHeld(Table::kDistrict, KeyOfDistrict(2, 1).slice()));
  EXPECT_TRUE(IsHeld(Table::kStock, KeyOfStock(1, 40).slice()));
  EXPECT_TRUE(IsHeld(Table::kStock, KeyOfStock(2, 10).slice()));
  EXPECT_FALSE(IsHeld(Table::kStock, KeyOfStock(2, 30).slice()));
  GoOn();
}

TEST_F(KvLocksTest, NewOrderLocksNothingBeforeItsDistrict) {
  KvNewOrder new_order(&party_.rows());
  NewOrderOutput output;
  const NewOrderInput input = OrderOf(1, 1, 1, {1, 2, 3, 4, 5});
  StopAt(Table::kDistrict, KeyOfDistrict(1, 1).slice(),
         [&] { return new_order.Try(input, &output); });
  EXPECT_FALSE(IsHeld(Table::kWarehouse, KeyOfWarehouse(1).slice()));
  EXPECT_FALSE(IsHeld(Table::kCustomer, KeyOfCustomer(1, 1, 1).slice()));
  for (uint32_t i = 1; i <= 5; ++i) {
    EXPECT_FALSE(IsHeld(Table::kStock, KeyOfStock(1, i).slice()));
  }
  GoOn();
}

TEST_F(KvLocksTest, PaymentLocksWarehouseThenDistrictThenCustomer) {
  KvTransactions payment(&party_.rows());
  PaymentOutput output;
  StopAt(Table::kDistrict, KeyOfDistrict(1, 1).slice(),
         [&] { return payment.TryPayment(PaymentOf(1, 1, 2, 100), &output); });
  EXPECT_TRUE(IsHeld(Table::kWarehouse, KeyOfWarehouse(1).slice()));
  EXPECT_FALSE(IsHeld(Table::kCustomer, KeyOfCustomer(1, 1, 2).slice()));
  GoOn();
}

TEST_F(KvLocksTest, DeliveryLocksAllMarksAndThenCustomersInOrder) {
  KvDelivery delivery(&party_.rows());
  DeliveryOutput output;
  StopAt(Table::kCustomer, KeyOfCustomer(1, 4, 5).slice(),
         [&] { return delivery.Try({.w_id = 1, .carrier_id = 9}, &output); });
  for (uint8_t d = 1; d <= kDistricts; ++d) {
    EXPECT_TRUE(IsHeld(Table::kNewOrder, KeyOfOldestNewOrder(1, d).slice()));
  }
  EXPECT_TRUE(IsHeld(Table::kCustomer, KeyOfCustomer(1, 3, 5).slice()));
  EXPECT_FALSE(IsHeld(Table::kCustomer, KeyOfCustomer(1, 5, 5).slice()));
  EXPECT_FALSE(IsHeld(Table::kDistrict, KeyOfDistrict(1, 1).slice()));
  GoOn();
}

}  // namespace
}  // namespace waltax::tpcc
