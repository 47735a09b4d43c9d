#include "driver/sql/statement.h"

#include <limits>

#include "tests/driver/sql/relay.h"
#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

class StatementTest : public ServerTest {
 protected:
  StatementTest() {
    CreateTable("t",
                "id BIGINT UNSIGNED PRIMARY KEY, small TINYINT, text LONGBLOB");
  }
  std::unique_ptr<Statement> Prepare(std::string_view sql) {
    return std::make_unique<Statement>(connection_.get(), sql);
  }
  void Insert(uint64_t id, int small, std::string_view text) {
    const auto insert = Prepare("INSERT INTO t VALUES (?, ?, ?)");
    const SqlStatus status = insert->Run(id, small, text);
    ASSERT_TRUE(status.ok()) << ToString(status);
  }
};

TEST_F(StatementTest, IsRefusedWithTheServersWordsAndItself) {
  const auto select = Prepare("SELECT missing FROM t");
  const SqlStatus status = select->Run();
  EXPECT_EQ(status.code, 1054U);
  EXPECT_NE(status.message.find("in \"SELECT missing FROM t\""),
            std::string::npos)
      << status.message;
  MustExecute(*connection_, "ALTER TABLE t ADD missing INT");
  EXPECT_TRUE(select->Run().ok());
}

TEST_F(StatementTest, TakesABatchAsItsFirstExecution) {
  const auto insert = Prepare("INSERT INTO t VALUES (?, ?, ?)");
  insert->AddToBatch(1, 2, "a");
  insert->AddToBatch(3, 4, "b");
  EXPECT_TRUE(insert->ExecuteBatch().ok());
  EXPECT_EQ(Ask(*connection_, "SELECT SUM(id * small) FROM t"), "14");
}

TEST_F(StatementTest, CarriesEveryByteThereAndBack) {
  Insert(1, 0, EveryByte());
  Insert(2, 0, "");
  const auto select = Prepare("SELECT text FROM t WHERE id = ?");
  for (const auto& [id, text] :
       {std::pair<int, std::string>(1, EveryByte()), {2, ""}}) {
    SqlStatus status = select->Run(id);
    ASSERT_TRUE(select->Next(&status)) << ToString(status);
    EXPECT_EQ(select->Text(0), text);
    EXPECT_FALSE(select->Next(&status));
    EXPECT_TRUE(status.ok()) << ToString(status);
  }
}

TEST_F(StatementTest, CarriesTextsOfAllSizes) {
  const auto insert = Prepare("REPLACE INTO t VALUES (1, 0, ?)");
  const auto select = Prepare("SELECT text FROM t WHERE id = 1");
  for (const size_t size : {0, 1, 250, 251, 252, 65535, 65536, 3'000'000, 5}) {
    const std::string text(size, 'x');
    SqlStatus status = insert->Run(text);
    ASSERT_TRUE(status.ok()) << ToString(status);
    status = select->Run();
    ASSERT_TRUE(select->Next(&status)) << ToString(status);
    EXPECT_TRUE(select->Text(0) == text) << size;
  }
}

TEST_F(StatementTest, CarriesTheLargestAndTheSmallestNumbers) {
  Insert(std::numeric_limits<uint64_t>::max(), -128, "");
  const auto select = Prepare("SELECT id, small FROM t WHERE id = ?");
  SqlStatus status = select->Run(std::numeric_limits<uint64_t>::max());
  ASSERT_TRUE(select->Next(&status)) << ToString(status);
  EXPECT_EQ(select->Unsigned(0), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(select->Signed(1), -128);
}

TEST_F(StatementTest, ReadsNumbersOfAllTypes) {
  CreateTable("n",
              "a TINYINT UNSIGNED PRIMARY KEY, b SMALLINT, c INT, d INT "
              "UNSIGNED, e DECIMAL(20, 2)");
  MustExecute(*connection_,
              "INSERT INTO n VALUES (255, -2, -3, 4294967295, -123456.78)");
  const auto select = Prepare("SELECT a, b, c, d, e, COUNT(*), SUM(c) FROM n");
  SqlStatus status = select->Run();
  ASSERT_TRUE(select->Next(&status)) << ToString(status);
  EXPECT_EQ(select->Signed(0), 255);
  EXPECT_EQ(select->Signed(1), -2);
  EXPECT_EQ(select->Signed(2), -3);
  EXPECT_EQ(select->Signed(3), 4294967295);
  EXPECT_EQ(select->Signed(4), -123456);
  EXPECT_EQ(select->Text(4), "-123456.78");
  EXPECT_EQ(select->Signed(5), 1);
  EXPECT_EQ(select->Signed(6), -3);
}

TEST_F(StatementTest, TakesNullForNothing) {
  MustExecute(*connection_, "INSERT INTO t VALUES (1, NULL, NULL)");
  const auto select = Prepare("SELECT small, text FROM t");
  SqlStatus status = select->Run();
  ASSERT_TRUE(select->Next(&status)) << ToString(status);
  EXPECT_EQ(select->Signed(0), 0);
  EXPECT_EQ(select->Text(1), "");
  EXPECT_FALSE(select->Next(&status));
}

TEST_F(StatementTest, TakesAValueOfAnotherTypeThanTheLast) {
  const auto select = Prepare("SELECT CONCAT(?, '')");
  const auto run = [&](const auto& value) {
    SqlStatus status = select->Run(value);
    return select->Next(&status) ? std::string(select->Text(0)) : "nothing";
  };
  EXPECT_EQ(run(1), "1");
  EXPECT_EQ(run("text"), "text");
  EXPECT_EQ(run(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(run(-1), "-1");
}

TEST_F(StatementTest, TakesAsManyValuesAsItHasPlaces) {
  const auto insert = Prepare("INSERT INTO t VALUES (?, ?, ?)");
  EXPECT_FALSE(insert->Run(1, 2).ok());
  EXPECT_FALSE(insert->Run(1, 2, "a", 4).ok());
  insert->Begin();
  insert->Bind(uint64_t{1});
  insert->Bind(int64_t{2});
  insert->Bind("a");
  EXPECT_TRUE(insert->Execute().ok());
}

TEST_F(StatementTest, DropsTheRowsThatNobodyRead) {
  for (uint64_t id = 1; id <= 100; ++id) Insert(id, 0, std::string(1000, 'x'));
  const auto all = Prepare("SELECT id, text FROM t ORDER BY id");
  const auto one = Prepare("SELECT id FROM t WHERE id = ?");
  SqlStatus status = all->Run();
  ASSERT_TRUE(all->Next(&status));
  status = one->Run(7);
  ASSERT_TRUE(one->Next(&status)) << ToString(status);
  EXPECT_EQ(one->Signed(0), 7);
  EXPECT_FALSE(all->Next(&status));  // they are gone
  status = all->Run();
  ASSERT_TRUE(all->Next(&status)) << ToString(status);
  EXPECT_EQ(Ask(*connection_, "SELECT COUNT(*) FROM t"), "100");
  status = all->Run();
  ASSERT_TRUE(all->Next(&status)) << ToString(status);
  status = all->Run();
  int rows = 0;
  while (all->Next(&status)) ++rows;
  EXPECT_EQ(rows, 100);
  EXPECT_TRUE(status.ok()) << ToString(status);
}

TEST_F(StatementTest, TellsChangedRowsFromMatchedOnes) {
  Insert(1, 5, "");
  const auto update = Prepare("UPDATE t SET small = ? WHERE id = ?");
  ASSERT_TRUE(update->Run(6, 1).ok());
  EXPECT_EQ(update->matched_rows(), 1U);
  EXPECT_EQ(update->affected_rows(), 1U);
  ASSERT_TRUE(update->Run(6, 1).ok());
  EXPECT_EQ(update->matched_rows(), 1U);
  EXPECT_EQ(update->affected_rows(), TestEngine() == "innodb" ? 0U : 1U);
  ASSERT_TRUE(update->Run(6, 2).ok());
  EXPECT_EQ(update->matched_rows(), 0U);
  EXPECT_EQ(update->affected_rows(), 0U);
}

TEST_F(StatementTest, TellsAnInsertFromAnUpdateByTheRowsAffected) {
  const auto upsert = Prepare(
      "INSERT INTO t VALUES (1, ?, '') ON DUPLICATE KEY UPDATE small = "
      "VALUES(small)");
  ASSERT_TRUE(upsert->Run(5).ok());
  EXPECT_EQ(upsert->affected_rows(), 1U);
  ASSERT_TRUE(upsert->Run(6).ok());
  EXPECT_EQ(upsert->affected_rows(), 2U);
  ASSERT_TRUE(upsert->Run(6).ok());
  EXPECT_EQ(upsert->affected_rows(), 0U);
}

TEST_F(StatementTest, GivesTheKeyThatTheServerChose) {
  CreateTable("a", "id BIGINT PRIMARY KEY AUTO_INCREMENT, x INT");
  const auto insert = Prepare("INSERT INTO a (x) VALUES (?)");
  ASSERT_TRUE(insert->Run(1).ok());
  const uint64_t first = insert->insert_id();
  ASSERT_TRUE(insert->Run(1).ok());
  EXPECT_EQ(insert->insert_id(), first + 1);
}

TEST_F(StatementTest, SaysWhyTheServerRefusedIt) {
  Insert(1, 0, "");
  const auto insert = Prepare("INSERT INTO t VALUES (?, 0, '')");
  EXPECT_EQ(insert->Run(1).code, 1062U);
  SqlStatus status = insert->Run(1);
  EXPECT_FALSE(insert->Next(&status));
  EXPECT_TRUE(insert->Run(2).ok());
}

TEST_F(StatementTest, SaysSoWhenTheServerIsLostAmongItsRows) {
  // More than the sockets hold, so that rows are on their way until the end.
  MustExecute(*connection_,
              "INSERT INTO t SELECT seq, 0, REPEAT('x', 100000) "
              "FROM seq_1_to_100");
  ServerFlags through = flags_;
  through.socket = flags_.socket + ".relay";
  Relay relay(through.socket, flags_.socket);
  const std::unique_ptr<Connection> cut = Connect(through);
  const auto all =
      std::make_unique<Statement>(cut.get(), "SELECT id, text FROM t");
  SqlStatus status = all->Run();
  ASSERT_TRUE(all->Next(&status)) << ToString(status);
  relay.Cut();
  int rows = 1;
  while (all->Next(&status)) ++rows;
  EXPECT_EQ(status.code, 2013U) << ToString(status);
  EXPECT_LT(rows, 100);
}

TEST_F(StatementTest, SaysSoWhenALockIsNotToBeHadAmongItsRows) {
  const GlobalSetting wait(flags_, LockWaitVariable(), 1);
  for (uint64_t id = 1; id <= 3; ++id) Insert(id, 0, "");
  const auto holder = Connect(flags_);
  MustExecute(*holder, "BEGIN");
  MustExecute(*holder, "SELECT id FROM t WHERE id = 2 FOR UPDATE");
  const auto waiter = Connect(flags_);
  const auto lock = std::make_unique<Statement>(
      waiter.get(), "SELECT id FROM t WHERE id < 4 FOR UPDATE");
  SqlStatus status = lock->Run();
  while (lock->Next(&status)) {
  }
  EXPECT_EQ(status.code, 1205U) << ToString(status);
  MustExecute(*holder, "ROLLBACK");
  status = lock->Run();
  EXPECT_TRUE(lock->Next(&status)) << ToString(status);
}

TEST_F(StatementTest, ComparesTextsOfAColumnThroughItsIndex) {
  CreateTable("l",
              "id INT PRIMARY KEY, name VARCHAR(16) CHARACTER SET latin1 "
              "COLLATE latin1_bin, KEY (name)");
  for (int id = 1; id <= 200; ++id) {
    MustExecute(*connection_, "INSERT INTO l VALUES (" + std::to_string(id) +
                                  ", 'n" + std::to_string(id) + "')");
  }
  const auto explain = Prepare("EXPLAIN SELECT id FROM l WHERE name = ?");
  SqlStatus status = explain->Run("n7");
  ASSERT_TRUE(explain->Next(&status)) << ToString(status);
  EXPECT_EQ(explain->Text(3), "ref");
}

}  // namespace
}  // namespace waltax::mariadb
