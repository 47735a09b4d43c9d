#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/redis/engine.h"
#include "tests/driver/program/smallest.h"
#include "tests/driver/redis/server.h"

namespace waltax {
namespace {

// Its data are one key, "ours", which says whose they are.
class OnRedis : public Smallest {
 public:
  explicit OnRedis(std::string data) : data_(std::move(data)) {}

 private:
  [[nodiscard]] Layouts layouts() const override { return {.redis = 1}; }
  [[nodiscard]] nlohmann::json Record() const override {
    return {{"data", data_}};
  }
  Status Accept(const nlohmann::json& record,
                const std::string& where) override {
    return record["data"] == data_ ? Status::Ok()
                                   : Status::Usage(where + " has other data");
  }
  Status Load(RocksdbEngine* /*rocksdb*/, const LoadReport& /*report*/,
              Loaded* /*loaded*/) override {
    if (kept()) return Status::Ok();
    RedisAnswer answer;
    RedisConnection to(redis());
    to.Ask({"SET", "ours", data_}, &answer);
    return to.status();
  }

  std::string data_;
};

class RedisDataSetTest : public testing::Test {
 protected:
  // Has a program obey; returns its exit code.
  int Obey(const std::string& command, const std::string& data = "a") {
    OnRedis program(data);
    const std::string endpoint = "--endpoint=" + server_.place().url;
    std::vector<const char*> words = {command.c_str(), "--store=redis",
                                      endpoint.c_str()};
    const int code = program.Obey(words);
    said_ = program.said();
    return code;
  }
  std::string Ask(const RedisConnection::Words& words) {
    RedisAnswer answer;
    EXPECT_TRUE(connection_.Ask(words, &answer)) << connection_.error();
    return answer.text().empty() ? std::to_string(answer.number())
                                 : std::string(answer.text());
  }

  RedisServer server_;
  RedisConnection connection_ = RedisConnection(server_.place());
  std::string said_;
};

TEST_F(RedisDataSetTest, IsKeptWhereItIsThereAndNoOther) {
  ASSERT_EQ(Obey("load"), 0) << said_;
  EXPECT_EQ(Obey("run"), 1);
  EXPECT_EQ(said_, "smallest: opened\n");
  Ask({"SET", "ours", "still here"});
  EXPECT_EQ(Obey("load"), 0) << said_;
  EXPECT_EQ(Ask({"GET", "ours"}), "still here");
  EXPECT_EQ(Obey("load", "b"), 2);
  EXPECT_EQ(said_, "smallest: " + server_.place().url + " has other data\n");
}

TEST_F(RedisDataSetTest, IsNotPutBesideSomebodysKeys) {
  Ask({"SET", "somebody's", "1"});
  EXPECT_EQ(Obey("load"), 2);
  EXPECT_NE(said_.find("is not empty"), std::string::npos) << said_;
  EXPECT_EQ(Ask({"GET", "somebody's"}), "1");
  EXPECT_EQ(Ask({"DBSIZE"}), "1");
}

TEST_F(RedisDataSetTest, IsMissedByARun) {
  EXPECT_EQ(Obey("run"), 2);
  EXPECT_NE(said_.find("is missing or incomplete"), std::string::npos) << said_;
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

TEST(RedisPlace, TakesSocketsAndHosts) {
  RedisPlace place;
  ASSERT_TRUE(ParseRedisPlace("redis:///run/a.sock", &place).ok());
  EXPECT_EQ(place.socket, "/run/a.sock");
  EXPECT_EQ(place.database, 0);
  ASSERT_TRUE(ParseRedisPlace("redis:///run/a.sock?db=3", &place).ok());
  EXPECT_EQ(place.database, 3);
  ASSERT_TRUE(ParseRedisPlace("redis://127.0.0.1:6380/2", &place).ok());
  EXPECT_EQ(place.host, "127.0.0.1");
  EXPECT_EQ(place.port, 6380);
  EXPECT_EQ(place.database, 2);
  EXPECT_TRUE(ParseRedisPlace("redis://192.0.2.1:6379", &place).ok());
}

TEST(RedisPlace, RefusesWhatIsNone) {
  RedisPlace place;
  for (const char* url :
       {"", "redis://", "redis:///", "mysql:///a", "redis://localhost",
        "redis://localhost:0", "redis:///a?db=x", "redis://localhost:1/x"}) {
    EXPECT_EQ(ParseRedisPlace(url, &place).exit_code(), 2) << url;
  }
  const Status secret = ParseRedisPlace("redis://:pw@localhost:1", &place);
  EXPECT_EQ(secret.message().find("pw@"), std::string::npos);
  EXPECT_EQ(secret.exit_code(), 2);
}

}  // namespace
}  // namespace waltax
