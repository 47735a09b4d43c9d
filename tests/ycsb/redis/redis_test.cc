#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/ycsb/operations.h"
#include "tests/ycsb/redis/fixture.h"
#include "ycsb/check.h"
#include "ycsb/redis/engine.h"
#include "ycsb/redis/store.h"

namespace waltax::ycsb {
namespace {

class RedisLoaderTest : public testing::Test {
 protected:
  Status Load(const std::string& existing = "refuse",
              uint64_t recordcount = 3000) {
    Options options;
    options.data.recordcount = recordcount;
    EXPECT_TRUE(Resolve(&options).ok());
    data_ = options.data;
    return LoadRedis(server_.place(), existing, {data_, 7, 2}, &loaded_);
  }
  std::string Ask(const RedisConnection::Words& words) {
    RedisAnswer answer;
    EXPECT_TRUE(connection_.Ask(words, &answer)) << connection_.error();
    return answer.text().empty() ? std::to_string(answer.number())
                                 : std::string(answer.text());
  }

  RedisServer server_;
  RedisConnection connection_ = RedisConnection(server_.place());
  DataOptions data_;
  RecordsLoaded loaded_;
};

TEST_F(RedisLoaderTest, LoadsAllRecordsOnce) {
  ASSERT_TRUE(Load().ok());
  EXPECT_EQ(loaded_.records, 3000U);
  CheckResult result;
  RedisStore store(server_.place(), data_, 1);
  ASSERT_TRUE(CheckRecords(data_, {3000, {}, 0, {}}, 2, &store, &result).ok());
  EXPECT_EQ(result.violations, std::vector<std::string>{});
  EXPECT_TRUE(VerifyRedisDataSet(server_.place(), data_).ok());
}

TEST_F(RedisLoaderTest, KeepsTheDataSetThatIsThereAndNoOther) {
  ASSERT_TRUE(Load().ok());
  EXPECT_EQ(Load().exit_code(), 2);
  EXPECT_TRUE(Load("keep").ok());
  const Status another = Load("keep", 2000);
  EXPECT_NE(another.message().find("--recordcount: found 2000"),
            std::string::npos)
      << another.message();
  EXPECT_EQ(Ask({"ZCARD", kIndexKey}), "3000");
}

TEST_F(RedisLoaderTest, RemovesWhatItWroteAndNothingElse) {
  ASSERT_TRUE(Load().ok());
  Ask({"SET", "somebody's", "1"});
  ASSERT_TRUE(Load("remove").ok());
  EXPECT_EQ(Ask({"DBSIZE"}), "1");
  for (const char* existing : {"refuse", "keep", "replace"}) {
    const Status status = Load(existing);
    EXPECT_EQ(status.exit_code(), 2);
    EXPECT_NE(status.message().find("is not empty"), std::string::npos);
  }
  EXPECT_EQ(Ask({"GET", "somebody's"}), "1");
}

TEST_F(RedisLoaderTest, ReplacesAnotherDataSetOfItsOwn) {
  ASSERT_TRUE(Load().ok());
  ASSERT_TRUE(Load("replace", 2000).ok());
  EXPECT_EQ(Ask({"ZCARD", kIndexKey}), "2000");
  EXPECT_EQ(Ask({"DBSIZE"}), "2002");
}

TEST_F(RedisLoaderTest, RefusesARunOnDataThatAreNotThere) {
  const Status status = VerifyRedisDataSet(server_.place(), data_);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("has no data set"), std::string::npos);
}

TEST(RedisEngine, CountsTheGrowthOfTheLogAndNamesItsSettings) {
  const RedisServer server({"--appendonly", "yes", "--appendfsync", "always"});
  const RedisEngine engine(server.place());
  ASSERT_TRUE(engine.status().ok());
  const nlohmann::json described = engine.Describe();
  EXPECT_EQ(described["name"], "redis");
  EXPECT_EQ(described["variables"]["aof_enabled"], "1");
  EXPECT_EQ(described["variables"]["appendfsync"], "always");
  const uint64_t before = engine.Snapshot()["redis_log_bytes"];
  RedisConnection connection(server.place());
  RedisAnswer answer;
  ASSERT_TRUE(connection.Ask({"SET", "key", "0123456789"}, &answer));
  const Counters after = engine.Snapshot();
  EXPECT_GT(after.at("redis_log_bytes"), before + 10);
  EXPECT_EQ(after.at("redis_changed_settings"), 0U);
  EXPECT_EQ(after.at("redis_log_rewrites"), 0U);
  ASSERT_TRUE(connection.Ask({"CONFIG", "SET", "appendfsync", "no"}, &answer));
  EXPECT_EQ(engine.Snapshot()["redis_changed_settings"], 1U);
}

TEST(RedisEngine, CountsNoLogWhereThereIsNone) {
  const RedisServer server;
  const RedisEngine engine(server.place());
  ASSERT_TRUE(engine.status().ok());
  EXPECT_EQ(engine.Describe()["variables"]["aof_enabled"], "0");
  EXPECT_EQ(engine.Snapshot()["redis_log_bytes"], 0U);
}

TEST(RedisConnection, NamesTheEndpointThatWantsAPassword) {
  const RedisServer server;
  RedisAnswer answer;
  RedisConnection(server.place())
      .Ask({"CONFIG", "SET", "requirepass", "secret"}, &answer);
  const std::string error = RedisConnection(server.place()).error();
  EXPECT_NE(error.find(server.place().url), std::string::npos);
  EXPECT_NE(error.find("wants a password"), std::string::npos) << error;
}

TEST(RedisConnection, FailsForGoodWhenTheServerDies) {
  RedisServer server;
  const auto session =
      RedisStore(server.place(), DataOptions(), 1).NewSession(1);
  server.Kill();
  Row row;
  const Reply reply = Read(*session, "user1", std::nullopt, &row);
  ASSERT_NE(reply.error, nullptr);
  EXPECT_TRUE(reply.fatal);
  EXPECT_NE(reply.error->find(server.place().url), std::string::npos);
}

TEST(RedisPlace, TakesSocketsAndTheLoopback) {
  RedisPlace place;
  ASSERT_TRUE(ParseRedisPlace("redis:///run/a.sock", false, &place).ok());
  EXPECT_EQ(place.socket, "/run/a.sock");
  EXPECT_EQ(place.database, 0);
  ASSERT_TRUE(ParseRedisPlace("redis:///run/a.sock?db=3", false, &place).ok());
  EXPECT_EQ(place.database, 3);
  ASSERT_TRUE(ParseRedisPlace("redis://127.0.0.1:6380/2", false, &place).ok());
  EXPECT_EQ(place.host, "127.0.0.1");
  EXPECT_EQ(place.port, 6380);
  EXPECT_EQ(place.database, 2);
}

TEST(RedisPlace, RefusesWhatIsNoneAndOtherMachinesUnlessAllowed) {
  RedisPlace place;
  for (const char* url :
       {"", "redis://", "redis:///", "mysql:///a", "redis://localhost",
        "redis://localhost:0", "redis:///a?db=x", "redis://localhost:1/x"}) {
    EXPECT_EQ(ParseRedisPlace(url, false, &place).exit_code(), 2) << url;
  }
  const Status secret =
      ParseRedisPlace("redis://:pw@localhost:1", false, &place);
  EXPECT_EQ(secret.message().find("pw@"), std::string::npos);
  EXPECT_EQ(secret.exit_code(), 2);
  const std::string elsewhere = "redis://192.0.2.1:6379";
  EXPECT_EQ(ParseRedisPlace(elsewhere, false, &place).exit_code(), 2);
  EXPECT_TRUE(ParseRedisPlace(elsewhere, true, &place).ok());
}

}  // namespace
}  // namespace waltax::ycsb
