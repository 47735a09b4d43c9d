#include "driver/sql/connection.h"

#include "driver/reactor.h"
#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

TEST(SqlStatusConflicts, AreLockTimeoutsDeadlocksAndRowsThatChanged) {
  EXPECT_TRUE(IsConflict({1205, "Lock wait timeout exceeded"}));
  EXPECT_TRUE(IsConflict({1213, "Deadlock found"}));
  EXPECT_TRUE(IsConflict({1020, "Record has changed"}));
}

TEST(SqlStatusConflicts, AreNothingElse) {
  EXPECT_FALSE(IsConflict({}));
  EXPECT_FALSE(IsConflict({1062, "Duplicate entry"}));
  EXPECT_FALSE(IsConflict({2013, "Lost connection"}));
}

TEST(SqlStatusText, HasCodeAndMessage) {
  EXPECT_EQ(ToString({1205, "Lock wait timeout exceeded"}),
            "1205: Lock wait timeout exceeded");
}

Status Open(const ServerFlags& flags) {
  std::unique_ptr<Connection> connection;
  return Connection::Open(flags, &connection);
}

TEST(ConnectionOpen, WantsASocket) {
  const Status status = Open(ServerFlags());
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message().find("--socket: found nothing"), 0U)
      << status.message();
}

TEST(ConnectionOpen, NamesTheSocketWhereNobodyAnswers) {
  ServerFlags flags;
  flags.socket = "/tmp/no-server-is-here.sock";
  const Status status = Open(flags);
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find("--socket"), std::string::npos);
  EXPECT_NE(status.message().find(flags.socket), std::string::npos)
      << status.message();
}

TEST_F(ServerTest, NamesADatabaseThatIsNotThere) {
  flags_.database = "nowhere";
  const Status status = Open(flags_);
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find("nowhere"), std::string::npos)
      << status.message();
}

TEST_F(ServerTest, BeginsASessionThatCommitsEachStatementItReads) {
  EXPECT_EQ(Ask(*connection_, "SELECT @@autocommit"), "1");
  EXPECT_EQ(Ask(*connection_, "SELECT @@tx_isolation"), "READ-COMMITTED");
  EXPECT_EQ(Ask(*connection_, "SELECT @@character_set_client"), "binary");
  EXPECT_EQ(Ask(*connection_, "SELECT @@time_zone"), "+00:00");
}

TEST_F(ServerTest, GivesSmallResultsAsText) {
  std::vector<std::vector<std::string>> rows;
  const SqlStatus status = connection_->Query(
      "SELECT 7, 'seven', NULL UNION ALL SELECT 8, 'eight', 'a'", &rows);
  ASSERT_TRUE(status.ok()) << ToString(status);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0], (std::vector<std::string>{"7", "seven", ""}));
  EXPECT_EQ(rows[1], (std::vector<std::string>{"8", "eight", "a"}));
}

TEST_F(ServerTest, RefusesAValueThatDoesNotFit) {
  CreateTable("t", "id INT PRIMARY KEY, text VARCHAR(3)");
  EXPECT_EQ(connection_->Execute("INSERT INTO t VALUES (1, 'long')").code,
            1406U);
}

TEST_F(ServerTest, SaysWhatIsWrongWithAStatement) {
  const SqlStatus status = connection_->Execute("SELEKT 1");
  EXPECT_EQ(status.code, 1064U);
  const Status explained = Explained(status, "choose");
  EXPECT_EQ(explained.exit_code(), 1);
  EXPECT_EQ(explained.message().find("cannot choose: 1064: "), 0U);
}

TEST_F(ServerTest, LoadsLinesAsRows) {
  CreateTable("t", "id INT PRIMARY KEY, text VARCHAR(10)");
  const SqlStatus status = connection_->LoadData(
      "LOAD DATA LOCAL INFILE 'any' INTO TABLE t", "1\tone\n2\ttwo\n");
  ASSERT_TRUE(status.ok()) << ToString(status);
  EXPECT_EQ(Ask(*connection_, "SELECT text FROM t WHERE id = 2"), "two");
}

TEST_F(ServerTest, FailsWhenTheServerDidNotTakeALine) {
  CreateTable("t", "id INT PRIMARY KEY, text VARCHAR(3)");
  const char kSql[] = "LOAD DATA LOCAL INFILE 'any' INTO TABLE t";
  EXPECT_FALSE(connection_->LoadData(kSql, "1\ttoo long\n").ok());
  EXPECT_FALSE(connection_->LoadData(kSql, "2\ta\n2\tb\n").ok());
}

TEST_F(ServerTest, GivesTheServerNoFileOfThisMachine) {
  CreateTable("t", "line VARCHAR(200) PRIMARY KEY");
  EXPECT_TRUE(
      connection_->Execute("LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t")
          .ok());
  EXPECT_EQ(Ask(*connection_, "SELECT COUNT(*) FROM t"), "0");
}

TEST_F(ServerTest, FailsForGoodOnceTheServerEndedTheConnection) {
  std::unique_ptr<Connection> other = Connect(flags_);
  MustExecute(*connection_, "KILL " + Ask(*other, "SELECT CONNECTION_ID()"));
  EXPECT_FALSE(other->Execute("SELECT 1").ok());
  EXPECT_FALSE(other->Execute("SELECT 1").ok());
}

// The answer that one waits for comes of what the other does meanwhile.
TEST_F(ServerTest, LetsOtherRequestersOfTheThreadGoOnWhileItWaits) {
  const std::unique_ptr<Connection> other = Connect(flags_);
  EXPECT_EQ(Ask(*connection_, "SELECT GET_LOCK('ours', 0)"), "1");
  std::string got;
  Reactor().Run(
      {[&] { got = Ask(*other, "SELECT GET_LOCK('ours', 60)"); },
       [&] { MustExecute(*connection_, "DO RELEASE_LOCK('ours')"); }});
  EXPECT_EQ(got, "1");
}

// Of rows that come in many pieces, between those of the other.
TEST_F(ServerTest, ReadsLongResultsOfRequestersThatShareAThread) {
  const std::unique_ptr<Connection> other = Connect(flags_);
  const std::string sql =
      "SELECT seq, REPEAT('x', 100 + seq % 1000) FROM seq_1_to_3000";
  std::vector<std::string> sizes;
  const auto read = [&](Connection* connection) {
    return [&sizes, &sql, connection] {
      const auto statement = std::make_unique<Statement>(connection, sql);
      SqlStatus status = statement->Run();
      size_t bytes = 0;
      uint64_t rows = 0;
      while (statement->Next(&status)) {
        EXPECT_EQ(statement->Unsigned(0), ++rows);
        bytes += statement->Text(1).size();
      }
      sizes.push_back(std::to_string(rows) + " rows, " + std::to_string(bytes) +
                      " bytes");
    };
  };
  Reactor().Run({read(connection_.get()), read(other.get())});
  EXPECT_EQ(sizes, std::vector<std::string>(2, "3000 rows, 1798500 bytes"));
}

TEST_F(ServerTest, TellsARequesterThatSharesItsThreadOfTheServersEnd) {
  const std::unique_ptr<Connection> other = Connect(flags_);
  const std::string id = Ask(*other, "SELECT CONNECTION_ID()");
  SqlStatus status;
  Reactor().Run({[&] { status = other->Execute("DO SLEEP(60)"); },
                 [&] { MustExecute(*connection_, "KILL " + id); }});
  EXPECT_FALSE(status.ok());
}

}  // namespace
}  // namespace waltax::mariadb
