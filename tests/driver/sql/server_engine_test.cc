#include "driver/sql/server_engine.h"

#include <nlohmann/json.hpp>

#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

class ServerEngineTest : public ServerTest {
 protected:
  ServerEngineTest() {
    const Status status = ServerEngine::Open({flags_, TestEngine()}, &engine_);
    if (!status.ok()) throw std::runtime_error(status.message());
    CreateTable("t", "id INT PRIMARY KEY, text LONGBLOB");
  }
  void Insert(int id, size_t bytes) {
    const auto insert = std::make_unique<Statement>(
        connection_.get(), "INSERT INTO t VALUES (?, ?)");
    ASSERT_TRUE(insert->Run(id, std::string(bytes, 'x')).ok());
  }
  static bool IsMyrocks() { return TestEngine() == "myrocks"; }

  std::unique_ptr<ServerEngine> engine_;
};

TEST_F(ServerEngineTest, SaysWhichServerItIsAndHowItWritesItsLog) {
  const nlohmann::json found = engine_->Describe();
  EXPECT_EQ(found["name"], TestEngine());
  EXPECT_EQ(found["server_version"], Ask(*connection_, "SELECT VERSION()"));
  const char* key = IsMyrocks() ? "rocksdb_flush_log_at_trx_commit"
                                : "innodb_flush_log_at_trx_commit";
  EXPECT_EQ(found["variables"][key],
            Ask(*connection_, std::string("SELECT @@GLOBAL.") + key));
  EXPECT_EQ(found["variables"]["log_bin"], "OFF");
  EXPECT_EQ(found["variables"]["skip_networking"], "ON");
  EXPECT_EQ(found["variables"]["socket"], flags_.socket);
  EXPECT_EQ(found["variables"]["datadir"],
            Ask(*connection_, "SELECT @@GLOBAL.datadir"));
}

TEST_F(ServerEngineTest, CountsTheBytesOfTheLog) {
  const char* key = IsMyrocks() ? "rocksdb_wal_bytes" : "innodb_os_log_written";
  const uint64_t before = engine_->Snapshot().at(key);
  for (int id = 0; id < 10; ++id) Insert(id, 1000);
  const uint64_t after = engine_->Snapshot().at(key);
  EXPECT_GE(after - before, 10'000U);
  EXPECT_LE(after - before, 100'000U);
}

TEST_F(ServerEngineTest, CountsNothingThatCanFall) {
  for (int id = 0; id < 100; ++id) Insert(id, 10'000);
  const Counters before = engine_->Snapshot();
  EXPECT_GT(before.size(), 12U);
  MustExecute(*connection_, "UPDATE t SET text = 'short' WHERE id < 50");
  MustExecute(*connection_, "DELETE FROM t WHERE id >= 50");
  // Out of memory and into tables: what is held there or waits falls.
  if (IsMyrocks()) {
    MustExecute(*connection_,
                "SET GLOBAL rocksdb_force_flush_memtable_and_lzero_now = 1");
  } else {
    MustExecute(*connection_, "FLUSH TABLES t FOR EXPORT");
    MustExecute(*connection_, "UNLOCK TABLES");
  }
  const Counters after = engine_->Snapshot();
  for (const auto& [name, value] : before) {
    EXPECT_GE(after.at(name), value) << name;
  }
}

TEST_F(ServerEngineTest, WeighsTheData) {
  const uint64_t before = engine_->DataBytes();
  for (int id = 0; id < 100; ++id) Insert(id, 100'000);
  EXPECT_GE(engine_->DataBytes(), before + 5'000'000);
}

// What driver/retry.h counts on.
TEST_F(ServerEngineTest, WaitsASecondForALock) {
  EXPECT_EQ(Ask(*connection_, "SELECT @@GLOBAL." + LockWaitVariable()), "1");
}

}  // namespace
}  // namespace waltax::mariadb
