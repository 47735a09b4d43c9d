// Transactions whose first attempt ends half way, at a lock that is held too
// long: the second one must leave what one attempt alone would.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/tpcc/kv/small_world.h"
#include "tpcc/kv/delivery.h"
#include "tpcc/kv/new_order.h"
#include "tpcc/kv/transactions.h"

namespace waltax::tpcc {
namespace {

class KvRetryTest : public testing::Test {
 protected:
  static constexpr uint32_t kNext = SmallWorld::kCustomers + 1;

  // Somebody holds the lock until the first attempt has given up.
  template <typename Attempt>
  void RetryAfter(Table table, const rocksdb::Slice& key,
                  const Attempt& attempt) {
    const std::unique_ptr<rocksdb::Transaction> holder(
        world_.tables().db->BeginTransaction(rocksdb::WriteOptions()));
    ASSERT_TRUE(holder
                    ->GetForUpdate(rocksdb::ReadOptions(),
                                   world_.tables()[table], key,
                                   static_cast<std::string*>(nullptr))
                    .ok());
    int attempts = 0;
    uint32_t retries = 0;
    const rocksdb::Status status = rows_.loop().Run(
        [&] {
          rows_.loop().transaction().SetLockTimeout(/*timeout=*/1);
          if (++attempts == 2) (void)holder->Rollback();
          if (attempts == 2) BetweenAttempts();
          return attempt();
        },
        &retries);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(attempts, 2);
    EXPECT_EQ(retries, 1U);
  }
  void BetweenAttempts() {
    if (add_unused_item_) {
      world_.Put(Table::kItem, KeyOfItem(kUnusedItem).slice(),
                 Item{.im_id = 1, .price = 10, .name = "new", .data = "new"});
      world_.Put(Table::kStock, KeyOfStock(1, kUnusedItem).slice(),
                 Stock{.quantity = 50,
                       .dists = std::string(240, 'x'),
                       .data = "ordinary"});
    }
  }

  SmallWorld world_;
  KvRows rows_{world_.tables(), rocksdb::WriteOptions(), /*max_retries=*/5,
               /*seed=*/1};
  bool add_unused_item_ = false;
};

TEST_F(KvRetryTest, NewOrderIsEnteredOnce) {
  KvNewOrder new_order(&rows_);
  const NewOrderInput input = OrderOf(1, 2, 3, {7, 8, 9, 7, 10});
  NewOrderOutput output;
  RetryAfter(Table::kStock, KeyOfStock(1, 9).slice(),
             [&] { return new_order.Try(input, &output); });
  EXPECT_EQ(output.o_id, kNext);
  EXPECT_FALSE(output.rolled_back);
  // 3 * (70 + 80 + 90 + 70 + 100) less 20 % and with 15 % of taxes: 1131.6.
  EXPECT_EQ(output.total_amount, 1132);
  EXPECT_EQ(output.lines[3].s_quantity, SmallWorld::kStocked - 6);
  EXPECT_EQ(world_.district(1, 2)->next_o_id, kNext + 1);
  EXPECT_EQ(world_.stock(1, 7)->ytd, 6U);
  EXPECT_EQ(world_.stock(1, 7)->order_cnt, 2U);
  EXPECT_EQ(world_.stock(1, 10)->ytd, 3U);
  EXPECT_TRUE(world_.Has(Table::kNewOrder, KeyOfNewOrder(1, 2, kNext).slice()));
  EXPECT_FALSE(world_.Has(Table::kOrder, KeyOfOrder(1, 2, kNext + 1).slice()));
}

TEST_F(KvRetryTest, NewOrderOfAnUnusedItemRollsBackInTheSecondAttempt) {
  KvNewOrder new_order(&rows_);
  const NewOrderInput input = OrderOf(1, 2, 3, {7, 8, 9, 10, kUnusedItem});
  NewOrderOutput output;
  RetryAfter(Table::kStock, KeyOfStock(1, 9).slice(),
             [&] { return new_order.Try(input, &output); });
  EXPECT_TRUE(output.rolled_back);
  EXPECT_EQ(world_.district(1, 2)->next_o_id, kNext);
  EXPECT_EQ(world_.stock(1, 7)->ytd, 0U);
}

TEST_F(KvRetryTest, NewOrderForgetsThatItsFirstAttemptMetAnUnusedItem) {
  KvNewOrder new_order(&rows_);
  const NewOrderInput input = OrderOf(1, 2, 3, {7, 8, 9, 10, kUnusedItem});
  NewOrderOutput output;
  add_unused_item_ = true;
  RetryAfter(Table::kStock, KeyOfStock(1, 9).slice(),
             [&] { return new_order.Try(input, &output); });
  EXPECT_FALSE(output.rolled_back);
  EXPECT_EQ(world_.district(1, 2)->next_o_id, kNext + 1);
  EXPECT_EQ(world_.line(1, 2, kNext, 5)->i_id, kUnusedItem);
}

TEST_F(KvRetryTest, PaymentIsBookedOnce) {
  KvTransactions payment(&rows_);
  PaymentOutput output;
  RetryAfter(Table::kCustomer, KeyOfCustomer(1, 2, 6).slice(), [&] {
    return payment.TryPayment(PaymentOf(1, 2, 6, 4200), &output);
  });
  const Cents before = SmallWorld::kPaidBefore;
  EXPECT_EQ(world_.warehouse(1)->ytd, 60 * before + 4200);
  EXPECT_EQ(world_.district(1, 2)->ytd, 6 * before + 4200);
  const auto customer = world_.customer(1, 2, 6);
  EXPECT_EQ(customer->balance, -before - 4200);
  EXPECT_EQ(customer->payment_cnt, 2U);
  EXPECT_EQ(customer->data, "6 2 1 2 1 42.00 first data");
  EXPECT_EQ(output.c_data, customer->data);
  EXPECT_TRUE(world_.Has(Table::kHistory, KeyOfHistory(1, 2, 6, 2).slice()));
  EXPECT_EQ(world_.Count(Table::kHistory), 2 * 10 * 6 + 1);
}

TEST_F(KvRetryTest, DeliveryDeliversEachDistrictOnce) {
  KvDelivery delivery(&rows_);
  DeliveryOutput output;
  output.o_ids.fill(3);  // left by the delivery before
  RetryAfter(Table::kCustomer, KeyOfCustomer(1, 4, 5).slice(), [&] {
    return delivery.Try({.w_id = 1, .carrier_id = 9}, &output);
  });
  const Cents amount = SmallWorld::kLines * SmallWorld::kLineAmount;
  for (uint8_t d = 1; d <= kDistricts; ++d) {
    EXPECT_EQ(output.o_ids[d - 1U], 5U);
    EXPECT_EQ(world_.mark(1, d), 6U);
    EXPECT_EQ(world_.order(1, d, 5)->carrier_id, 9);
    EXPECT_EQ(world_.customer(1, d, 5)->delivery_cnt, 1U);
    EXPECT_EQ(world_.customer(1, d, 5)->balance,
              amount - SmallWorld::kPaidBefore);
    EXPECT_FALSE(world_.Has(Table::kNewOrder, KeyOfNewOrder(1, d, 5).slice()));
    EXPECT_TRUE(world_.Has(Table::kNewOrder, KeyOfNewOrder(1, d, 6).slice()));
  }
}

}  // namespace
}  // namespace waltax::tpcc
