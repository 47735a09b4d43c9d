#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "driver/redis/data_set.h"
#include "driver/redis/engine.h"
#include "tests/driver/redis/server.h"

namespace waltax {
namespace {

class RedisDataSetTest : public testing::Test {
 protected:
  // Fills the database as a program whose data are one key, "ours".
  Status Load(const std::string& existing = "refuse",
              const std::string& wanted = "a") {
    const RedisDataSet set = Set(wanted);
    kept_ = false;
    const Status status = MakeRoom(set, existing, &kept_);
    if (!status.ok() || kept_ || existing == "remove") return status;
    Ask({"SET", "ours", wanted});
    return WriteRecord(set, {{"data", wanted}});
  }
  [[nodiscard]] RedisDataSet Set(const std::string& wanted) const {
    return {server_.place(), "test", 1,
            [](std::string_view key) { return key == "ours"; },
            [wanted](const nlohmann::json& record, const std::string& where) {
              return record["data"] == wanted
                         ? Status::Ok()
                         : Status::Usage(where + " has other data");
            }};
  }
  std::string Ask(const RedisConnection::Words& words) {
    RedisAnswer answer;
    EXPECT_TRUE(connection_.Ask(words, &answer)) << connection_.error();
    return answer.text().empty() ? std::to_string(answer.number())
                                 : std::string(answer.text());
  }

  RedisServer server_;
  RedisConnection connection_ = RedisConnection(server_.place());
  bool kept_ = false;
};

TEST_F(RedisDataSetTest, KeepsTheOneThatIsThereAndNoOther) {
  ASSERT_TRUE(Load().ok());
  EXPECT_TRUE(Accept(Set("a")).ok());
  EXPECT_EQ(Load().exit_code(), 2);
  EXPECT_TRUE(Load("keep").ok());
  EXPECT_TRUE(kept_);
  EXPECT_EQ(Load("keep", "b").message(),
            server_.place().url + " has other data");
}

TEST_F(RedisDataSetTest, RemovesWhatItWroteAndNothingElse) {
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

TEST_F(RedisDataSetTest, ReplacesAnotherOfItsOwn) {
  ASSERT_TRUE(Load().ok());
  ASSERT_TRUE(Load("replace", "b").ok());
  EXPECT_EQ(Ask({"GET", "ours"}), "b");
}

TEST_F(RedisDataSetTest, RefusesARunOnDataThatAreNotThere) {
  const Status status = Accept(Set("a"));
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
  RedisConnection connection(server.place());
  server.Kill();
  RedisAnswer answer;
  EXPECT_FALSE(connection.Ask({"PING"}, &answer));
  EXPECT_FALSE(connection.Ask({"PING"}, &answer));
  EXPECT_NE(connection.error().find(server.place().url), std::string::npos);
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
}  // namespace waltax
