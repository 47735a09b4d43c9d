// The semantics of the three transactions, for a test program to instantiate
// with the stores that it has.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "shop/store.h"
#include "shop/workload.h"

namespace waltax::shop {

inline constexpr uint64_t kTestRows = 1'000;
inline constexpr uint64_t kTestSeed = 7;
using Texts = std::vector<std::string>;

inline Options TestOptions() {
  Options options;
  options.data.rows = kTestRows;
  return options;
}

// Opens a store that was loaded. `keeper` keeps what the store borrows.
struct StoreUnderTest {
  std::string name;
  std::unique_ptr<Store> (*open)(std::shared_ptr<void>* keeper);
};

inline std::string StoreName(
    const testing::TestParamInfo<StoreUnderTest>& info) {
  return info.param.name;
}

class StoreTest : public testing::TestWithParam<StoreUnderTest> {
 protected:
  void SetUp() override {
    store_ = GetParam().open(&keeper_);
    session_ = store_->NewSession(1);
  }

  static uint64_t CustomerId(uint64_t number) {
    return UidOf(Table::kCustomers, kLoadMachine, number);
  }
  static uint64_t ProductId(uint64_t number) {
    return UidOf(Table::kProducts, kLoadMachine, number);
  }
  // An order of a run, of the first ten products from `product` on.
  Reply PlaceOrder(uint64_t number, uint64_t customer, uint64_t product) {
    std::array<uint64_t, kLookedAt> ids{};
    for (size_t i = 0; i < kLookedAt; ++i) ids[i] = ProductId(product + i);
    const Order order = {UidOf(Table::kOrders, kRunMachine, number),
                         CustomerId(customer), ids[0], 3, kFirstOrderedS};
    return session_->NewOrder(order, ids);
  }
  Texts Violations(const std::optional<Expected>& expected = std::nullopt) {
    CheckResult result;
    const Status status = store_->Check(expected, 2, &result);
    EXPECT_TRUE(status.ok()) << status.message();
    counted_ = {result.counted.begin(), result.counted.end()};
    return result.violations;
  }
  // Of a run that placed orders up to before `next_order`, and changed
  // quantities so often.
  static Expected After(uint64_t next_order, uint64_t changes) {
    return {{}, next_order, {}, changes, 0};
  }

  std::shared_ptr<void> keeper_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Session> session_;
  std::map<std::string, uint64_t> counted_;
};

TEST_P(StoreTest, HoldsWhatWasLoaded) {
  EXPECT_EQ(Violations(After(1, 0)), Texts{});
  EXPECT_EQ(counted_, (std::map<std::string, uint64_t>{{"changes", 0},
                                                       {"customers", 400},
                                                       {"index_entries", 400},
                                                       {"inserted_orders", 0},
                                                       {"orders", 400},
                                                       {"products", 200}}));
}

TEST_P(StoreTest, ReadsACustomerWithAllHerOrders) {
  const Population population(kTestRows, kTestSeed);
  Order order;
  uint32_t hers = 0;
  for (uint64_t number = 0; number < population.sizes().orders; ++number) {
    population.Write(number, &order);
    hers += order.customer_id == CustomerId(5) ? 1 : 0;
  }
  const Reply before = session_->CustomerOrders(CustomerId(5));
  ASSERT_EQ(before.error, nullptr) << *before.error;
  EXPECT_EQ(before.found, 1U);
  EXPECT_EQ(before.orders, hers);
  EXPECT_EQ(PlaceOrder(1, 5, 0).found, 11U);
  EXPECT_EQ(session_->CustomerOrders(CustomerId(5)).orders, hers + 1);
  EXPECT_EQ(session_->CustomerOrders(CustomerId(400)).found, 0U);
}

TEST_P(StoreTest, TakesAnOrderOffTheQuantityAndCountsIt) {
  for (uint64_t number = 1; number <= 3; ++number) {
    const Reply reply = PlaceOrder(number, number, 40 + number);
    ASSERT_EQ(reply.error, nullptr) << *reply.error;
    EXPECT_EQ(reply.found, 11U);
  }
  EXPECT_EQ(session_->SetQuantity(ProductId(41), 17).found, 1U);
  EXPECT_EQ(Violations(After(4, 4)), Texts{});
  EXPECT_EQ(counted_["inserted_orders"], 3U);
  EXPECT_EQ(counted_["index_entries"], 403U);
  EXPECT_EQ(counted_["changes"], 4U);
}

TEST_P(StoreTest, TakesAnOrderOffAProductThatIsSoldOut) {
  EXPECT_EQ(session_->SetQuantity(ProductId(41), 1).found, 1U);
  for (uint64_t number = 1; number <= 2; ++number) {
    const Reply reply = PlaceOrder(number, number, 41);
    ASSERT_EQ(reply.error, nullptr) << *reply.error;
  }
  EXPECT_EQ(Violations(After(3, 3)), Texts{});
}

TEST_P(StoreTest, WritesNothingOfAnOrderWhoseProductIsNotThere) {
  EXPECT_EQ(PlaceOrder(1, 5, 195).found, 6U);  // five of ten, and the customer
  EXPECT_EQ(PlaceOrder(2, 400, 0).found, 10U);
  EXPECT_EQ(session_->SetQuantity(ProductId(200), 1).found, 0U);
  EXPECT_EQ(Violations(After(1, 0)), Texts{});
}

TEST_P(StoreTest, TellsARunWhatEarlierOnesLeft) {
  Before before;
  ASSERT_TRUE(store_->Survey(2, &before).ok());
  EXPECT_EQ(before.next_order, 1U);
  EXPECT_EQ(before.changes, 0U);
  PlaceOrder(1, 5, 0);
  PlaceOrder(9, 5, 0);
  session_->SetQuantity(ProductId(1), 1);
  ASSERT_TRUE(store_->Survey(2, &before).ok());
  EXPECT_EQ(before.next_order, 10U);
  EXPECT_EQ(before.changes, 3U);
}

TEST_P(StoreTest, LosesNothingOfWorkersOnTheSameRows) {
  Options options = TestOptions();
  options.run.known_share = .02;  // four products
  ShopWorkload workload(options, store_.get(), 2, {});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, worker = workload.NewWorker(i, 1)] {
      for (int request = 0; request < 100; ++request) {
        worker->Draw();
        const Outcome outcome = worker->Execute();
        ASSERT_EQ(outcome.error, nullptr) << *outcome.error;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CheckResult result;
  ASSERT_TRUE(workload.Check(&result).ok());
  EXPECT_EQ(result.violations, Texts{});
}

// What a check after a run finds that a check of the data alone cannot know.
TEST_P(StoreTest, FindsAnOrderOrAChangeThatWasLost) {
  PlaceOrder(1, 5, 0);
  const std::string first =
      std::to_string(UidOf(Table::kOrders, kRunMachine, 1));
  const std::string second =
      std::to_string(UidOf(Table::kOrders, kRunMachine, 2));
  EXPECT_EQ(
      Violations(After(3, 1)),
      Texts{"orders: " + second + " is missing, though it was acknowledged"});
  EXPECT_EQ(Violations(After(1, 1)),
            Texts{"orders: " + first + " is there, though no run inserted it"});
  EXPECT_EQ(Violations(After(2, 2)),
            Texts{"changes: 1 are in the products, 2 were acknowledged"});
  EXPECT_EQ(Violations(After(2, 0)),
            Texts{"changes: 1 are in the products, 0 were acknowledged"});
  EXPECT_EQ(Violations(Expected{{}, 3, {2}, 0, 2}), Texts{});  // in doubt
}

}  // namespace waltax::shop
