#include "driver/sql/load.h"

#include <atomic>
#include <string>

#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

TEST_F(ServerTest, AnalyzesTables) {
  CreateTable("one", "id INT PRIMARY KEY");
  CreateTable("two", "id INT PRIMARY KEY");
  const Status status = Settle(*connection_, "innodb", "one, two");
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST_F(ServerTest, NamesATableThatTheServerCouldNotAnalyze) {
  CreateTable("one", "id INT PRIMARY KEY");
  const Status status = Settle(*connection_, "innodb", "one, missing");
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find("cannot analyze"), std::string::npos);
  EXPECT_NE(status.message().find("unit.missing"), std::string::npos)
      << status.message();
}

TEST_F(ServerTest, KeepsALoadOutOfADatabaseThatHasTables) {
  EXPECT_TRUE(WantEmptyDatabase(*connection_).ok());
  CreateTable("one", "id INT PRIMARY KEY");
  const Status status = WantEmptyDatabase(*connection_);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("--database: found 1 tables (\"one\")"),
            std::string::npos)
      << status.message();
}

class ParallelLoadTest : public ServerTest {
 protected:
  ParallelLoadTest() { CreateTable("t", "id INT PRIMARY KEY"); }
  static Status Insert(uint64_t id, Connection& connection) {
    const SqlStatus status =
        connection.Execute("INSERT INTO t VALUES (" + std::to_string(id) + ")");
    return status.ok() ? Status::Ok() : Explained(status, "insert");
  }
  static Status Load(const ServerFlags& server, int threads, uint64_t steps) {
    return RunParallelLoad(server, threads, steps, Insert, [] {});
  }
  std::string Count() { return Ask(*connection_, "SELECT COUNT(*) FROM t"); }
};

TEST_F(ParallelLoadTest, DoesEachStepOnce) {
  const Status status = Load(flags_, 4, 50);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(Count(), "50");
}

TEST_F(ParallelLoadTest, EndsWithItsFirstFailure) {
  MustExecute(*connection_, "INSERT INTO t VALUES (10)");
  const Status status = Load(flags_, 1, 50);
  EXPECT_NE(status.message().find("1062"), std::string::npos)
      << status.message();
  EXPECT_EQ(Count(), "11");
}

TEST_F(ParallelLoadTest, FailsWhenAThreadCannotConnect) {
  ServerFlags nowhere = flags_;
  nowhere.socket += ".not";
  EXPECT_FALSE(Load(nowhere, 2, 5).ok());
  EXPECT_EQ(Count(), "0");
}

}  // namespace
}  // namespace waltax::mariadb
