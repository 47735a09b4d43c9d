// RocksDB and the memory store are written apart from each other. What both of
// them make of the same transactions is what clause 2 says, or they share a
// misreading.
#include <gtest/gtest.h>

#include "tests/tpcc/kv/fixture.h"
#include "tests/tpcc/memory/store.h"
#include "tests/tpcc/same_transactions.h"
#include "tpcc/store.h"
#include "tpcc/tables.h"
#include "tpcc/terminal.h"

namespace waltax::tpcc {
namespace {

constexpr PopulationOptions kPopulation = {2, 1, 1'700'000'000'000};
constexpr int kTransactions = 6'000;

class TwoStores : public ::testing::Test {
 protected:
  void SetUp() override { database_.Load(kPopulation); }
  void ExpectEqualContent() {
    const std::vector<Rows> a = TimelessContent(*kv_);
    const std::vector<Rows> b = TimelessContent(memory_);
    for (size_t i = 0; i < kTables; ++i) {
      EXPECT_TRUE(a[i] == b[i]) << Tables()[i].name;
    }
  }

  TemporaryDatabase database_;
  std::unique_ptr<Store> kv_ = NewKvStore(database_.engine(), 0);
  MemoryStore memory_{kPopulation, 2};
};

TEST_F(TwoStores, BeginWithTheSameRows) { ExpectEqualContent(); }

TEST_F(TwoStores, ShowAndKeepTheSameAfterTheSameTransactions) {
  const auto kv = kv_->NewSession(1);
  const auto memory = memory_.NewSession(1);
  Both both(kv.get(), memory.get());
  Terminal at_one(0, {1, 1}, 2, {66, 77, 88}, 1);
  Terminal at_two(1, {2, 5}, 2, {66, 77, 88}, 1);
  Inputs inputs;
  for (int i = 0; i < kTransactions && !HasFailure(); ++i) {
    (i % 2 == 0 ? at_one : at_two).Draw(&inputs);
    both.Execute(inputs);
  }
  EXPECT_GT(both.rollbacks(), 0);
  ExpectEqualContent();
}

// More deliveries than orders wait: the queues run dry, and fill again.
TEST_F(TwoStores, AgreeWhenThereIsNothingLeftToDeliver) {
  const auto kv = kv_->NewSession(1);
  const auto memory = memory_.NewSession(1);
  Both both(kv.get(), memory.get());
  Terminal terminal(0, {1, 1}, 2, {66, 77, 88}, 1);
  Inputs deliver;
  deliver.op = Op::kDelivery;
  deliver.delivery = {1, 3};
  Inputs inputs;
  for (int i = 0; i < 1'000 && !HasFailure(); ++i) both.Execute(deliver);
  for (int i = 0; i < 1'000 && !HasFailure(); ++i) {
    terminal.Draw(&inputs);
    both.Execute(inputs);
    if (i % 3 == 0) both.Execute(deliver);
  }
  ExpectEqualContent();
}

}  // namespace
}  // namespace waltax::tpcc
