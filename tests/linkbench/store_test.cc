// The stores of this process, and what only the one on RocksDB does.

#include "linkbench/store.h"

#include <gtest/gtest.h>

#include <memory>

#include "linkbench/tables.h"
#include "tests/linkbench/kv/fixture.h"
#include "tests/linkbench/memory/store.h"
#include "tests/linkbench/store_suite.h"

namespace waltax::linkbench {
namespace {

std::unique_ptr<Store> OpenMemory(std::shared_ptr<void>* /*keeper*/) {
  return std::make_unique<MemoryStore>(100);
}

std::unique_ptr<Store> OpenRocksdb(std::shared_ptr<void>* keeper) {
  const auto database = std::make_shared<TemporaryDatabase>();
  *keeper = database;
  return NewKvStore(database->engine(), 100, 100);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest,
                         testing::Values(StoreUnderTest{"memory", OpenMemory},
                                         StoreUnderTest{"rocksdb",
                                                        OpenRocksdb}),
                         StoreName);

TEST(KvStore, GivesUpAConflictAfterItsRetriesAndCountsThem) {
  TemporaryDatabase database;
  const auto store = NewKvStore(database.engine(), 1, /*max_retries=*/1);
  // Another transaction holds the link's lock all the time.
  const LinkKey key = {1, 7, 5};
  const std::unique_ptr<rocksdb::Transaction> holder(
      database.tables().db->BeginTransaction(rocksdb::WriteOptions()));
  std::string row;
  (void)holder->GetForUpdate(rocksdb::ReadOptions(),
                             database.tables()[Table::kLinks],
                             EncodeLinkKey(key).slice(), &row);
  const auto session = store->NewSession(1);
  const Reply reply = session->AddLink(key, {true, 0, 1, ""});
  ASSERT_NE(reply.error, nullptr);
  EXPECT_EQ(reply.retries, 1U);
  (void)holder->Rollback();
  EXPECT_EQ(session->AddLink(key, {true, 0, 1, ""}).error, nullptr);
}

// What the index's files hold, deletions included.
uint64_t IndexEntriesAfterFlush(const KvTables& tables) {
  EXPECT_TRUE(
      tables.db->Flush(rocksdb::FlushOptions(), tables[Table::kIndex]).ok());
  rocksdb::TablePropertiesCollection files;
  EXPECT_TRUE(
      tables.db->GetPropertiesOfAllTables(tables[Table::kIndex], &files).ok());
  uint64_t entries = 0;
  for (const auto& [name, file] : files) entries += file->num_entries;
  return entries;
}

TEST(KvStore, LeavesOneIndexRowOfALinkUpdatedManyTimesAMillisecond) {
  TemporaryDatabase database;
  const auto store = NewKvStore(database.engine(), 1, 1);
  const auto session = store->NewSession(1);
  for (uint64_t i = 0; i < 100; ++i) {
    session->AddLink({1, 7, 5}, {true, 0, 10 + i / 50, "data"});
  }
  EXPECT_EQ(IndexEntriesAfterFlush(database.tables()), 1U);
}

// RocksDB may merge files by itself at any time, or move them to the next level
// as they are, which leaves what a merge would drop: neither shall happen here.
rocksdb::Status KeepFilesAsTheyAre(const KvTables& tables) {
  return tables.db->SetOptions(tables[Table::kIndex],
                               {{"disable_auto_compactions", "true"}});
}
rocksdb::Status MergeIndexFiles(const KvTables& tables) {
  rocksdb::CompactRangeOptions rewrite;
  rewrite.bottommost_level_compaction =
      rocksdb::BottommostLevelCompaction::kForce;
  return tables.db->CompactRange(rewrite, tables[Table::kIndex], nullptr,
                                 nullptr);
}

TEST(KvStore, LeavesOneIndexRowOfALinkUpdatedAcrossFiles) {
  TemporaryDatabase database;
  const auto store = NewKvStore(database.engine(), 1, 1);
  const KvTables tables = database.tables();
  ASSERT_TRUE(KeepFilesAsTheyAre(tables).ok());
  const auto session = store->NewSession(1);
  for (uint64_t i = 0; i < 100; ++i) {
    // Every time comes twice, and some flushes fall between the two.
    session->AddLink({1, 7, 5}, {true, 0, 10 + i / 2, "data"});
    if (i % 5 == 3) session->DeleteLink({1, 7, 5}, i);
    if (i % 30 == 0) IndexEntriesAfterFlush(tables);
  }
  // A row in each of five files; in four also the deletion of the one before.
  EXPECT_EQ(IndexEntriesAfterFlush(tables), 9U);
  EXPECT_TRUE(MergeIndexFiles(tables).ok());
  EXPECT_EQ(IndexEntriesAfterFlush(tables), 1U);
  const CheckResult result = Checked(*store, GraphOptions());
  EXPECT_TRUE(result.violations.empty()) << result.violations.front();
}

TEST(KvStore, GivesOutNodeIdsAboveTheLastStoredOne) {
  TemporaryDatabase database;
  uint64_t id = 0;
  {
    const auto store = NewKvStore(database.engine(), 500, 1);
    store->NewSession(1)->AddNode({2048, 1, 1, ""}, &id);
    EXPECT_EQ(id, 500U);
  }
  const auto again = NewKvStore(database.engine(), 10, 1);
  again->NewSession(1)->AddNode({2048, 1, 1, ""}, &id);
  EXPECT_EQ(id, 501U);
}

}  // namespace
}  // namespace waltax::linkbench
