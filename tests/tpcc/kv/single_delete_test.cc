// Delivery deletes by SingleDelete, whose contract is that a key was written
// once since it was last deleted: otherwise an older row would come back when
// tables are merged.
#include <gtest/gtest.h>

#include <memory>

#include "tests/tpcc/kv/fixture.h"
#include "tpcc/keys.h"
#include "tpcc/store.h"

namespace waltax::tpcc {
namespace {

constexpr uint32_t kLoaded = kOrdersPerDistrict - kFirstUndelivered + 1;

class KvSingleDeleteTest : public testing::Test {
 protected:
  void SetUp() override { database_.Load({1, 7, 1'700'000'000'000}); }
  // Delivers in all ten districts, so many times.
  void Deliver(uint32_t times) {
    const auto store = NewKvStore(database_.engine(), 10);
    const auto session = store->NewSession(1);
    DeliveryOutput output;
    for (uint32_t i = 0; i < times; ++i) {
      const Reply reply = session->Delivery({1, 4}, &output);
      ASSERT_EQ(reply.error, nullptr) << *reply.error;
    }
  }
  // Enters one order in each district.
  void EnterOrders() {
    const auto store = NewKvStore(database_.engine(), 10);
    const auto session = store->NewSession(1);
    NewOrderInput input;
    input.w_id = 1;
    input.c_id = 5;
    input.ol_cnt = 5;
    input.lines.fill({1, 1, 1});
    NewOrderOutput output;
    for (input.d_id = 1; input.d_id <= kDistricts; ++input.d_id) {
      ASSERT_EQ(session->NewOrder(input, &output).error, nullptr);
    }
  }
  rocksdb::ColumnFamilyHandle* Queue() {
    return database_.tables()[Table::kNewOrder];
  }
  void Flush() {
    ASSERT_TRUE(database_.db()->Flush(rocksdb::FlushOptions(), Queue()).ok());
  }
  // Leaves nothing in memory, merges all tables, and opens them anew.
  void Settle() {
    Flush();
    rocksdb::CompactRangeOptions all;
    all.bottommost_level_compaction =
        rocksdb::BottommostLevelCompaction::kForce;
    ASSERT_TRUE(
        database_.db()->CompactRange(all, Queue(), nullptr, nullptr).ok());
    database_.Close();
    database_.Open();
  }
  // Of all districts; without the rows of the low-water marks.
  uint64_t Waiting() {
    uint64_t rows = 0;
    const std::unique_ptr<rocksdb::Iterator> row(
        database_.db()->NewIterator(rocksdb::ReadOptions(), Queue()));
    for (row->SeekToFirst(); row->Valid(); row->Next()) {
      if (NumberOf(row->key()) != 0) ++rows;
    }
    return rows;
  }

  TemporaryDatabase database_;
};

TEST_F(KvSingleDeleteTest, DeliveredRowsStayGoneWhenTablesAreMerged) {
  EnterOrders();
  Flush();  // apart from the ingested rows, and from what deletes them
  Deliver(kLoaded / 2);
  Settle();
  EXPECT_EQ(Waiting(), kDistricts * (kLoaded - kLoaded / 2 + 1));
  Deliver(kLoaded - kLoaded / 2);
  EXPECT_EQ(Waiting(), kDistricts);
  Settle();
  EXPECT_EQ(Waiting(), kDistricts);
  Deliver(1);
  EnterOrders();
  Deliver(1);  // in the batch after it was written, both in memory
  Settle();
  EXPECT_EQ(Waiting(), 0U);
}

}  // namespace
}  // namespace waltax::tpcc
