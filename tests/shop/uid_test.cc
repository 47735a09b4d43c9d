#include "shop/uid.h"

#include <gtest/gtest.h>

#include <set>

namespace waltax::shop {
namespace {

TEST(Uid, IsMadeOfMachineThreadAndRandomBits) {
  for (const uint64_t number : {0, 1, 2, 3, 4, 1'000'003}) {
    const uint64_t key = UidOf(Table::kOrders, kRunMachine, number);
    EXPECT_EQ(key >> 61, kRunMachine);
    EXPECT_EQ((key >> 59) & 3, number % 4);
  }
}

TEST(Uid, GivesBackItsNumber) {
  for (const Table table :
       {Table::kCustomers, Table::kProducts, Table::kOrders}) {
    for (uint64_t number = 0; number < 10'000; ++number) {
      const uint64_t key = UidOf(table, kLoadMachine, number);
      ASSERT_EQ(NumberOf(table, kLoadMachine, key), number);
      ASSERT_EQ(NumberOf(table, kRunMachine, key), std::nullopt);
    }
  }
  const uint64_t last = uid::kRandom;
  EXPECT_EQ(NumberOf(Table::kProducts, kLoadMachine,
                     UidOf(Table::kProducts, kLoadMachine, last)),
            last);
}

TEST(Uid, OfAnotherThreadOrTableIsNone) {
  const uint64_t key = UidOf(Table::kCustomers, kLoadMachine, 6);
  EXPECT_EQ(NumberOf(Table::kCustomers, kLoadMachine, key ^ 1ULL << 59),
            std::nullopt);
  const auto elsewhere = NumberOf(Table::kProducts, kLoadMachine, key);
  EXPECT_TRUE(!elsewhere || *elsewhere > 1'000'000'000);
}

// A sixteenth of the random bits holds a sixteenth of the keys, so that known
// keys and new orders lie anywhere.
TEST(Uid, SpreadsNeighboursOverAllKeys) {
  std::array<int, 16> parts{};
  std::set<uint64_t> keys;
  for (uint64_t number = 0; number < 16'000; ++number) {
    const uint64_t key = UidOf(Table::kCustomers, kLoadMachine, number);
    keys.insert(key);
    ++parts[(key & uid::kRandom) >> 55];
  }
  EXPECT_EQ(keys.size(), 16'000U);
  for (const int count : parts) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace waltax::shop
