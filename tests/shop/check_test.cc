// Faults planted in the store in memory, and what a check says of them.
#include "shop/check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "tests/shop/memory_store.h"
#include "tests/shop/store_suite.h"

namespace waltax::shop {
namespace {

class CheckTest : public testing::Test {
 protected:
  // A shop in which one order was placed, of product 3.
  CheckTest() {
    std::array<uint64_t, kLookedAt> ids{};
    ids.fill(product_);
    session_->NewOrder(placed_, ids);
  }
  Texts Violations() {
    CheckResult result;
    EXPECT_TRUE(store_.Check(std::nullopt, 2, &result).ok());
    return result.violations;
  }
  static std::string Id(Table table, uint64_t machine, uint64_t number) {
    return std::to_string(UidOf(table, machine, number));
  }

  uint64_t customer_ = UidOf(Table::kCustomers, kLoadMachine, 5);
  uint64_t product_ = UidOf(Table::kProducts, kLoadMachine, 3);
  uint64_t loaded_ = UidOf(Table::kOrders, kLoadMachine, 8);
  Order placed_ = {UidOf(Table::kOrders, kRunMachine, 1), customer_, product_,
                   3, kFirstOrderedS};
  MemoryStore store_{Population(kTestRows, kTestSeed)};
  std::unique_ptr<Session> session_ = store_.NewSession(1);
};

TEST_F(CheckTest, FindsNothingOfATransactionThatIsWhole) {
  EXPECT_EQ(Violations(), Texts{});
}

TEST_F(CheckTest, FindsALoadedRowThatIsMissing) {
  store_.customers.erase(customer_);
  store_.products.erase(UidOf(Table::kProducts, kLoadMachine, 9));
  EXPECT_EQ(Violations(),
            (Texts{"customers: " + std::to_string(customer_) + " is missing",
                   "products: " + Id(Table::kProducts, kLoadMachine, 9) +
                       " is missing"}));
}

TEST_F(CheckTest, FindsARowThatWasNeverWritten) {
  store_.customers[12] = {12, "somebody", "", 1};
  store_.orders[UidOf(Table::kOrders, kLoadMachine, 400)] = {};
  const Texts found = Violations();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], "customers: 12 is there, though it was never written");
  EXPECT_TRUE(found[1].ends_with("is there, though it was never written"));
}

TEST_F(CheckTest, FindsAColumnThatHoldsSomethingElse) {
  store_.customers[customer_].address.back() = '!';
  store_.products[product_].description[500] = '!';
  store_.orders[loaded_].quantity = 99;
  // Nobody changed it.
  const uint64_t other = UidOf(Table::kProducts, kLoadMachine, 4);
  ++store_.products[other].quantity;
  EXPECT_EQ(Violations().size(), 4U);
}

TEST_F(CheckTest, FindsAnOrderWithoutItsEntry) {
  Order loaded;
  Population(kTestRows, kTestSeed).Write(8, &loaded);
  store_.index.erase({loaded.customer_id, loaded_});
  store_.index.erase({customer_, placed_.id});
  Texts wanted = {"index: " + std::to_string(loaded_) + " has no entry",
                  "index: " + std::to_string(placed_.id) + " has no entry"};
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(Violations(), wanted);
}

TEST_F(CheckTest, FindsAnEntryWithoutItsOrder) {
  store_.orders.erase(placed_.id);
  EXPECT_EQ(Violations(),
            Texts{"index: " + std::to_string(placed_.id) + " has no order"});
  store_.index.erase({customer_, placed_.id});
  store_.orders.erase(loaded_);
  EXPECT_EQ(Violations(),
            (Texts{"index: " + std::to_string(loaded_) + " has no order",
                   "orders: " + std::to_string(loaded_) + " is missing"}));
}

TEST_F(CheckTest, FindsAnEntryOfAnotherCustomer) {
  store_.index.erase({customer_, placed_.id});
  store_.index.emplace(UidOf(Table::kCustomers, kLoadMachine, 6), placed_.id);
  EXPECT_EQ(Violations(), Texts{"index: " + std::to_string(placed_.id) +
                                " has an entry of another customer"});
}

TEST_F(CheckTest, FindsAnOrderThatChangedNoQuantity) {
  store_.products[product_].changes = 0;
  const Texts found = Violations();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], "changes: product " + std::to_string(product_) +
                          " was ordered 1 times, and its quantity changed 0 "
                          "times");
  // The quantity is another one than was loaded, though nobody changed it.
  EXPECT_TRUE(found[1].starts_with("products: "));
}

TEST_F(CheckTest, FindsAnOrderOfNobody) {
  store_.index.erase({customer_, placed_.id});
  store_.orders[placed_.id].customer_id = 77;
  store_.index.emplace(77, placed_.id);
  EXPECT_EQ(Violations(), Texts{"orders: " + std::to_string(placed_.id) +
                                " is of a customer or product that is none"});
}

}  // namespace
}  // namespace waltax::shop
