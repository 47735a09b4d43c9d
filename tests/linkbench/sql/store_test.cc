#include "linkbench/store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <thread>

#include "linkbench/sql/statements.h"
#include "tests/linkbench/sql/fixture.h"
#include "tests/linkbench/store_suite.h"

namespace waltax::linkbench {
namespace {

std::unique_ptr<Store> OpenSql(std::shared_ptr<void>* keeper) {
  const auto database = std::make_shared<SqlDatabase>();
  database->CreateTables(/*first_node=*/100);
  *keeper = database;
  return NewSqlStore(database->place().server, 100);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest,
                         testing::Values(StoreUnderTest{"sql", OpenSql}),
                         StoreName);

constexpr LinkKey kKey = {1, 7, 5};

class SqlStoreTest : public testing::Test {
 protected:
  SqlStoreTest() { database_.CreateTables(100); }
  Reply Add(Session* session, uint64_t id2 = 5, uint64_t time = 1) {
    return session->AddLink({1, 7, id2}, {true, 0, time, "data"});
  }
  std::string Count() {
    return mariadb::Ask(database_.connection(),
                        "SELECT CONCAT(count, ' ', time, ' ', version) FROM "
                        "counttable WHERE id = 1 AND link_type = 7");
  }

  SqlDatabase database_;
};

TEST_F(SqlStoreTest, GivesUpAConflictAfterItsRetriesAndKeepsNoLock) {
  const auto store = NewSqlStore(database_.place().server, /*max_retries=*/1);
  const auto session = store->NewSession(1);
  ASSERT_EQ(Add(session.get()).error, nullptr);
  // Another transaction holds the link's lock all the time.
  database_.Execute("BEGIN");
  database_.Execute("UPDATE linktable FORCE INDEX (PRIMARY) SET version = 9");
  const mariadb::GlobalSetting wait(database_.place().server,
                                    mariadb::LockWaitVariable(), 1);
  const auto waiting = store->NewSession(2);
  const Reply reply = waiting->DeleteLink(kKey, 1);
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find("given up after 1 retries: 1205"),
            std::string::npos)
      << *reply.error;
  EXPECT_EQ(reply.retries, 1U);
  database_.Execute("ROLLBACK");
  EXPECT_EQ(waiting->DeleteLink(kKey, 1).error, nullptr);
  EXPECT_EQ(Add(session.get()).error, nullptr);
}

TEST_F(SqlStoreTest, WaitsForALockAndThenSeesWhatItsHolderCommitted) {
  const auto store = NewSqlStore(database_.place().server, 100);
  const auto session = store->NewSession(1);
  ASSERT_EQ(Add(session.get()).error, nullptr);
  database_.Execute("BEGIN");
  database_.Execute(
      "UPDATE linktable FORCE INDEX (PRIMARY) SET visibility = 0");
  database_.Execute("UPDATE counttable SET count = 0");
  Reply reply;
  std::thread waiting([&] { reply = Add(session.get(), 5, 2); });
  // Any point between the two is a fair one: with the lock held or not.
  database_.Execute("COMMIT");
  waiting.join();
  EXPECT_EQ(reply.error, nullptr);
  EXPECT_TRUE(reply.found);
  EXPECT_EQ(Count(), "1 2 1");
}

TEST_F(SqlStoreTest, KeepsNoLockOfADeleteThatFoundNothing) {
  const auto store = NewSqlStore(database_.place().server, 0);
  const auto session = store->NewSession(1);
  EXPECT_FALSE(session->DeleteLink(kKey, 1).found);
  const auto other = store->NewSession(2);
  EXPECT_EQ(Add(other.get()).error, nullptr);
  EXPECT_TRUE(session->DeleteLink(kKey, 2).found);
  EXPECT_TRUE(session->DeleteLink(kKey, 3).found);  // hidden already
  EXPECT_EQ(Add(other.get()).error, nullptr);
}

TEST_F(SqlStoreTest, CountsAsTheOriginalDoes) {
  const auto store = NewSqlStore(database_.place().server, 100);
  const auto session = store->NewSession(1);
  Add(session.get(), 5, 10);
  EXPECT_EQ(Count(), "1 10 0");
  Add(session.get(), 6, 11);
  EXPECT_EQ(Count(), "2 11 1");
  Add(session.get(), 6, 12);  // there and visible
  EXPECT_EQ(Count(), "2 11 1");
  session->DeleteLink(kKey, 13);
  EXPECT_EQ(Count(), "1 13 2");
  database_.Execute("UPDATE counttable SET count = 0");
  session->DeleteLink({1, 7, 6}, 14);  // never below 0
  EXPECT_EQ(Count(), "0 14 3");
}

TEST_F(SqlStoreTest, GoesOnWithNodeIdsWhereTheLastSessionStopped) {
  const auto store = NewSqlStore(database_.place().server, 1);
  uint64_t id = 0;
  store->NewSession(1)->AddNode({2048, 1, 1, "a"}, &id);
  EXPECT_EQ(id, 100U);
  store->NewSession(2)->AddNode({2048, 1, 1, "b"}, &id);
  EXPECT_EQ(id, 101U);
}

TEST_F(SqlStoreTest, SaysInEveryOperationWhyItCouldNotConnect) {
  mariadb::ServerFlags server = database_.place().server;
  server.socket = "/nowhere/at/all.sock";
  const auto store = NewSqlStore(server, 1);
  uint64_t count = 0;
  const auto session = store->NewSession(1);
  const Reply reply = session->CountLinks(1, 7, &count);
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find("/nowhere/at/all.sock"), std::string::npos);
}

TEST_F(SqlStoreTest, EndsForGoodWhenTheServerIsGoneBeforeAStatementIsPrepared) {
  const auto store = NewSqlStore(database_.place().server, 1);
  const auto session = store->NewSession(1);
  for (const auto& row :
       database_.Rows("SELECT id FROM information_schema.processlist "
                      "WHERE db = DATABASE() AND id <> CONNECTION_ID()")) {
    database_.Execute("KILL " + row[0]);
  }
  const std::array<uint64_t, 2> id2s = {5, 6};
  LinkRows rows;
  const Reply reply = session->MultigetLinks(1, 7, id2s, &rows);
  EXPECT_NE(reply.error, nullptr);
}

// What the server would read for a statement whose values are all 5: the key,
// and how much of it. Stock settings, a node with many links.
class PlanTest : public SqlStoreTest {
 protected:
  PlanTest() {
    database_.Execute(
        "INSERT INTO linktable SELECT 5, 5, seq, 1, 0, seq, 'x' "
        "FROM seq_1_to_3000");
    database_.Execute(
        "INSERT INTO linktable SELECT seq, 5, 5, 1, 0, seq, 'x' "
        "FROM seq_6_to_300");
    database_.Execute("INSERT INTO counttable VALUES (5, 5, 3000, 1, 1)");
    database_.Execute(
        "INSERT INTO counttable SELECT seq, 5, 1, 1, 1 "
        "FROM seq_6_to_300");
    database_.Execute(
        "INSERT INTO nodetable SELECT seq, 5, 1, 1, 'x' "
        "FROM seq_1_to_300");
    database_.Execute("ANALYZE TABLE linktable, counttable, nodetable");
    if (database_.place().engine == "myrocks") {
      database_.Execute("SET GLOBAL rocksdb_force_flush_memtable_now = ON");
    }
  }

  // A statement with all its values.
  static std::string Filled(std::string sql) {
    std::replace(sql.begin(), sql.end(), '?', '5');
    return sql;
  }
  // "PRIMARY 24": key and bytes of it that are used.
  std::string Plan(const std::string& sql) {
    const auto rows = database_.Rows("EXPLAIN " + Filled(sql));
    EXPECT_EQ(rows.size(), 1U);
    // id, select_type, table, type, possible_keys, key, key_len, ref, ...
    extra_ = rows[0].back();
    return rows[0][5] + " " + rows[0][6];
  }
  // Rows that a statement looked at, by the server's own count.
  uint64_t Touched(const std::string& sql) {
    const auto prepared =
        std::make_unique<mariadb::Statement>(&database_.connection(), sql);
    prepared->Begin();
    for (auto i = std::count(sql.begin(), sql.end(), '?'); i > 0; --i) {
      prepared->Bind(uint64_t{5});
    }
    database_.Execute("FLUSH STATUS");
    const mariadb::SqlStatus status = prepared->Execute();
    EXPECT_TRUE(status.ok()) << mariadb::ToString(status);
    uint64_t touched = 0;
    for (const auto& row :
         database_.Rows("SHOW SESSION STATUS WHERE Variable_name LIKE "
                        "'Handler\\_read\\_%'")) {
      touched += std::stoull(row[1]);
    }
    return touched;
  }

  std::string extra_;
};

TEST_F(PlanTest, FindsALinkByItsWholePrimaryKey) {
  EXPECT_EQ(Plan(sql::kUpdateLink), "PRIMARY 24");
  EXPECT_EQ(Plan(sql::kHideLink), "PRIMARY 24");
  EXPECT_EQ(Plan(sql::ReadLinks(1)), "PRIMARY 24");
  EXPECT_EQ(Plan("SELECT * FROM linktable FORCE INDEX (PRIMARY) WHERE "
                 "link_type = ? AND id1 = ? AND id2 IN (1, 2, ?)"),
            "PRIMARY 24");
  EXPECT_EQ(Plan(sql::kReadCount), "PRIMARY 16");
}

TEST_F(PlanTest, FindsANodeByItsId) {
  EXPECT_EQ(Plan(sql::kUpdateNode), "PRIMARY 8");
  EXPECT_EQ(Plan(sql::kDeleteNode), "PRIMARY 8");
  EXPECT_EQ(Plan(sql::kReadNode), "PRIMARY 8");
}

TEST_F(PlanTest, ListsLinksOutOfTheIndexAloneWithoutASort) {
  EXPECT_EQ(Plan(sql::kReadList), "id1_type 25");
  EXPECT_NE(extra_.find("Using index"), std::string::npos) << extra_;
  EXPECT_EQ(extra_.find("filesort"), std::string::npos) << extra_;
}

TEST_F(PlanTest, TouchesNoLinkButTheOneThatItChanges) {
  for (const char* update : {sql::kHideLink, sql::kUpdateLink}) {
    const uint64_t touched = Touched(update);
    EXPECT_GT(touched, 0U) << update;
    EXPECT_LE(touched, 2U) << update;
  }
  EXPECT_LE(Touched(sql::kUpsertLink), 2U);
  // Of the link and of its count, once each or twice.
  EXPECT_LE(Touched(sql::DeleteLink()), 6U);
  EXPECT_LE(Touched(sql::AddLink(/*visible=*/true)), 6U);
}

}  // namespace
}  // namespace waltax::linkbench
