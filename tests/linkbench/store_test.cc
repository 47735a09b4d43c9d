// The semantics of the ten operations, over every store that keeps anything.
#include "linkbench/store.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "driver/random.h"
#include "linkbench/keys.h"
#include "linkbench/kv_store.h"
#include "linkbench/memory_store.h"
#include "tests/linkbench/kv_fixture.h"

namespace waltax::linkbench {
namespace {

constexpr uint64_t kForever = INT64_MAX;

class StoreTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "rocksdb") {
      database_ = std::make_unique<TemporaryDatabase>();
      store_ = std::make_unique<KvStore>(database_->engine(), 100, 100);
    } else {
      store_ = std::make_unique<MemoryStore>(100);
    }
    session_ = store_->NewSession(1);
  }

  bool Add(uint64_t id2, uint64_t time, std::string_view data = "d",
           bool visible = true) {
    const Reply reply =
        session_->AddLink({1, 7, id2}, {visible, 3, time, data});
    EXPECT_EQ(reply.error, nullptr);
    return reply.found;
  }
  bool Delete(uint64_t id2) {
    return session_->DeleteLink({1, 7, id2}, 99).found;
  }
  uint64_t Count() {
    uint64_t count = 0;
    session_->CountLinks(1, 7, &count);
    return count;
  }
  std::vector<uint64_t> List(uint64_t max_time = kForever, uint32_t offset = 0,
                             uint32_t limit = 10) {
    session_->GetLinksList({1, 7, max_time, offset, limit}, &rows_);
    std::vector<uint64_t> id2s;
    for (size_t i = 0; i < rows_.size(); ++i) id2s.push_back(rows_.id2(i));
    return id2s;
  }
  void ExpectConsistent() {
    CheckResult result;
    ASSERT_TRUE(store_->Check(2, &result).ok());
    EXPECT_TRUE(result.violations.empty()) << result.violations.front();
  }

  std::unique_ptr<TemporaryDatabase> database_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Session> session_;
  LinkRows rows_;
};

using Ids = std::vector<uint64_t>;

TEST_P(StoreTest, AddsALinkOnceAndOverwritesItLater) {
  EXPECT_FALSE(Add(5, 10, "old"));
  EXPECT_TRUE(Add(5, 20, "new"));
  EXPECT_EQ(Count(), 1U);
  EXPECT_EQ(List(), (Ids{5}));
  EXPECT_EQ(rows_.value(0).data, "new");
  EXPECT_EQ(rows_.value(0).time, 20U);
  EXPECT_EQ(rows_.value(0).version, 3U);
  ExpectConsistent();
}

TEST_P(StoreTest, HidesADeletedLinkButStillGetsIt) {
  Add(5, 10, "kept");
  EXPECT_TRUE(Delete(5));
  EXPECT_TRUE(Delete(5));
  EXPECT_FALSE(Delete(6));
  EXPECT_EQ(Count(), 0U);
  EXPECT_TRUE(List().empty());
  session_->MultigetLinks(1, 7, Ids{4, 5}, &rows_);
  ASSERT_EQ(rows_.size(), 1U);
  EXPECT_FALSE(rows_.value(0).visible);
  EXPECT_EQ(rows_.value(0).data, "kept");
  EXPECT_EQ(rows_.value(0).time, 10U);
  ExpectConsistent();
}

TEST_P(StoreTest, ShowsAHiddenLinkThatIsAddedAgain) {
  Add(5, 10);
  Delete(5);
  EXPECT_TRUE(Add(5, 30));
  EXPECT_EQ(Count(), 1U);
  EXPECT_EQ(List(), (Ids{5}));
  ExpectConsistent();
}

TEST_P(StoreTest, CountsOnlyVisibleLinks) {
  EXPECT_FALSE(Add(5, 10, "", /*visible=*/false));
  EXPECT_EQ(Count(), 0U);
  Add(6, 11);
  EXPECT_EQ(Count(), 1U);
  ExpectConsistent();
}

TEST_P(StoreTest, ListsTheNewestFirstAndTiesById) {
  Add(3, 10);
  Add(1, 30);
  Add(9, 20);
  Add(2, 20);
  EXPECT_EQ(List(), (Ids{1, 2, 9, 3}));
  EXPECT_EQ(List(20), (Ids{2, 9, 3}));
  EXPECT_EQ(List(20, 1), (Ids{9, 3}));
  EXPECT_EQ(List(kForever, 0, 2), (Ids{1, 2}));
  EXPECT_TRUE(List(9).empty());
  EXPECT_TRUE(List(kForever, 9).empty());
}

TEST_P(StoreTest, KeepsNeighboursApart) {
  Add(5, 10);
  session_->AddLink({1, 8, 5}, {true, 0, 10, ""});
  session_->AddLink({2, 7, 5}, {true, 0, 10, ""});
  session_->AddLink({0, 7, 5}, {true, 0, 10, ""});
  EXPECT_EQ(List(), (Ids{5}));
  EXPECT_EQ(Count(), 1U);
  uint64_t count = 7;
  EXPECT_FALSE(session_->CountLinks(3, 7, &count).found);
  EXPECT_EQ(count, 0U);
}

TEST_P(StoreTest, ListsWhatWasAddedSinceTheLastList) {
  for (uint64_t id2 = 1; id2 < 50; ++id2) {
    Add(id2, id2);
    EXPECT_EQ(List(kForever, 0, 1), (Ids{id2}));
    if (id2 % 3 == 0) {
      Delete(id2);
      EXPECT_EQ(List(kForever, 0, 1), (Ids{id2 - 1}));
    }
  }
}

TEST_P(StoreTest, KeepsNodes) {
  uint64_t first = 0;
  uint64_t second = 0;
  session_->AddNode({2048, 1, 77, "one"}, &first);
  session_->AddNode({2048, 1, 78, "two"}, &second);
  EXPECT_EQ(first, 100U);
  EXPECT_EQ(second, 101U);
  NodeValue node;
  std::string data;
  EXPECT_TRUE(session_->GetNode(first, 2048, &node, &data).found);
  EXPECT_EQ(node.data, "one");
  EXPECT_EQ(node.time, 77U);
  EXPECT_FALSE(session_->GetNode(first, 5, &node, &data).found);
  EXPECT_FALSE(session_->UpdateNode(first, {5, 2, 79, "x"}).found);
  EXPECT_TRUE(session_->UpdateNode(first, {2048, 2, 79, "three"}).found);
  EXPECT_TRUE(session_->GetNode(first, 2048, &node, &data).found);
  EXPECT_EQ(node.data, "three");
  EXPECT_EQ(node.version, 2U);
  EXPECT_FALSE(session_->DeleteNode(first, 5).found);
  EXPECT_TRUE(session_->DeleteNode(first, 2048).found);
  EXPECT_FALSE(session_->DeleteNode(first, 2048).found);
  EXPECT_FALSE(session_->UpdateNode(first, {2048, 2, 79, "x"}).found);
  EXPECT_FALSE(session_->GetNode(first, 2048, &node, &data).found);
}

// Adds and deletes random links of two pairs; returns how many calls failed.
int Hammer(Session* session, uint64_t seed) {
  Random random(seed);
  int failed = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    const LinkKey key = {1 + random.NextInt(2), 7, random.NextInt(8)};
    const Reply reply =
        random.NextInt(2) == 0
            ? session->AddLink(key, {true, 0, random.NextInt(100), "data"})
            : session->DeleteLink(key, i);
    if (reply.error != nullptr) ++failed;
  }
  return failed;
}

TEST_P(StoreTest, StaysConsistentUnderEightThreads) {
  std::vector<int> failed(8);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < failed.size(); ++i) {
    threads.emplace_back([this, &failed, i] {
      failed[i] = Hammer(store_->NewSession(i).get(), i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : failed) EXPECT_EQ(count, 0);
  ExpectConsistent();
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest,
                         testing::Values("memory", "rocksdb"),
                         [](const auto& info) { return info.param; });

TEST(KvStore, GivesUpAConflictAfterItsRetriesAndCountsThem) {
  TemporaryDatabase database;
  KvStore store(database.engine(), 1, /*max_retries=*/1);
  // Another transaction holds the link's lock all the time.
  const LinkKey key = {1, 7, 5};
  const std::unique_ptr<rocksdb::Transaction> holder(
      database.tables().db->BeginTransaction(rocksdb::WriteOptions()));
  std::string row;
  (void)holder->GetForUpdate(rocksdb::ReadOptions(), database.tables().links,
                             EncodeLinkKey(key).slice(), &row);
  const auto session = store.NewSession(1);
  const Reply reply = session->AddLink(key, {true, 0, 1, ""});
  ASSERT_NE(reply.error, nullptr);
  EXPECT_EQ(reply.retries, 1U);
  EXPECT_FALSE(reply.fatal);
  (void)holder->Rollback();
  EXPECT_EQ(session->AddLink(key, {true, 0, 1, ""}).error, nullptr);
}

// What the index's files hold, deletions included.
uint64_t IndexEntriesAfterFlush(const KvTables& tables) {
  EXPECT_TRUE(tables.db->Flush(rocksdb::FlushOptions(), tables.index).ok());
  rocksdb::TablePropertiesCollection files;
  EXPECT_TRUE(tables.db->GetPropertiesOfAllTables(tables.index, &files).ok());
  uint64_t entries = 0;
  for (const auto& [name, file] : files) entries += file->num_entries;
  return entries;
}

TEST(KvStore, LeavesOneIndexRowOfALinkUpdatedManyTimesAMillisecond) {
  TemporaryDatabase database;
  KvStore store(database.engine(), 1, 1);
  const auto session = store.NewSession(1);
  for (uint64_t i = 0; i < 100; ++i) {
    session->AddLink({1, 7, 5}, {true, 0, 10 + i / 50, "data"});
  }
  EXPECT_EQ(IndexEntriesAfterFlush(database.tables()), 1U);
}

TEST(KvStore, LeavesOneIndexRowOfALinkUpdatedAcrossFiles) {
  TemporaryDatabase database;
  KvStore store(database.engine(), 1, 1);
  const KvTables tables = database.tables();
  const auto session = store.NewSession(1);
  for (uint64_t i = 0; i < 100; ++i) {
    // Every time comes twice, and some flushes fall between the two.
    session->AddLink({1, 7, 5}, {true, 0, 10 + i / 2, "data"});
    if (i % 5 == 3) session->DeleteLink({1, 7, 5}, i);
    if (i % 30 == 0) IndexEntriesAfterFlush(tables);
  }
  EXPECT_TRUE(tables.db
                  ->CompactRange(rocksdb::CompactRangeOptions(), tables.index,
                                 nullptr, nullptr)
                  .ok());
  EXPECT_EQ(IndexEntriesAfterFlush(tables), 1U);
  CheckResult result;
  ASSERT_TRUE(store.Check(1, &result).ok());
  EXPECT_TRUE(result.violations.empty()) << result.violations.front();
}

TEST(KvStore, GivesOutNodeIdsAboveTheLastStoredOne) {
  TemporaryDatabase database;
  uint64_t id = 0;
  {
    KvStore store(database.engine(), 500, 1);
    store.NewSession(1)->AddNode({2048, 1, 1, ""}, &id);
    EXPECT_EQ(id, 500U);
  }
  KvStore again(database.engine(), 10, 1);
  again.NewSession(1)->AddNode({2048, 1, 1, ""}, &id);
  EXPECT_EQ(id, 501U);
}

}  // namespace
}  // namespace waltax::linkbench
