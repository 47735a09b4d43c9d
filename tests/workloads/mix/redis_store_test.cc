#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/driver/redis/server.h"
#include "tests/workloads/mix/drive.h"
#include "tests/workloads/mix/example.h"
#include "workloads/mix/store.h"

namespace waltax::mix {
namespace {

using Texts = std::vector<std::string>;

struct RedisMix {
  explicit RedisMix(std::string_view text) : mix(ReadWhole(text)) {
    const Status status = store.Load(2, [](uint64_t) {}, &rows, nullptr);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  int64_t Ask(const RedisConnection::Words& words) {
    RedisAnswer answer;
    EXPECT_TRUE(connection.Ask(words, &answer)) << connection.error();
    return answer.number();
  }

  Mix mix;
  Values values{mix, 7};
  RedisServer server;
  RedisConnection connection = RedisConnection(server.place());
  std::unique_ptr<Store> opened = NewRedisStore(server.place(), values);
  Store& store = *opened;
  uint64_t rows = 0;
};

TEST(MixRedisStore, RunsOperationsOfEveryKind) {
  RedisMix redis(kWithoutOrder);
  EXPECT_EQ(redis.rows, 200 + 100);
  EXPECT_EQ(Violations(redis.values, redis.store), Texts{});
  for (int run = 0; run < 2; ++run) {
    const auto workload = Begin(redis.values, redis.store);
    auto all = Drive(*workload, 600);
    const Driven& change = all["change"];
    EXPECT_EQ(change.committed, change.done);
    EXPECT_EQ(change.found, 2 * change.done);
    EXPECT_EQ(all["read"].found, 3 * all["read"].done);
    EXPECT_EQ(all["read"].committed, 0);
    EXPECT_EQ(all["take"].found, 2 * all["take"].done);
    EXPECT_EQ(all["miss"].not_found, all["miss"].done);
    EXPECT_EQ(all["miss"].committed, 0);
    EXPECT_EQ(Violations(*workload), Texts{});
  }
  EXPECT_EQ(Violations(redis.values, redis.store), Texts{});
}

TEST(MixRedisStore, FindsLostUpdatesTornTextsAndMissingRows) {
  RedisMix redis(kWithoutOrder);
  const auto workload = Begin(redis.values, redis.store);
  Drive(*workload, 200);
  redis.Ask({"HINCRBY", "accounts:3", "changes", "-1"});
  redis.Ask({"HSET", "accounts:5", "name", "torn"});
  redis.Ask({"DEL", "accounts:7"});
  const Texts violations = Violations(*workload);
  ASSERT_EQ(violations.size(), 3);
  EXPECT_EQ(violations[0], "accounts: row 5 name holds what was never written");
  EXPECT_EQ(violations[1], "accounts: row 7 is missing");
  EXPECT_TRUE(violations[2].starts_with("accounts.changes: all rows"));
}

// Its keys and hashes are those of YCSB's binding, and so is their index but
// for its scores, by which it has their order.
TEST(MixRedisStore, RunsAndScansATableWithAnOrder) {
  RedisMix redis(kYcsb);
  EXPECT_EQ(redis.rows, 3000);
  EXPECT_EQ(redis.Ask({"HLEN", "user6284781860667377211"}), 11);
  EXPECT_EQ(redis.Ask({"ZCARD", "usertable"}), 3000);
  for (int run = 0; run < 2; ++run) {
    const auto workload = Begin(redis.values, redis.store);
    auto all = Drive(*workload, 500);
    EXPECT_EQ(all["READ"].found, all["READ"].done);
    EXPECT_EQ(all["UPDATE"].found, all["UPDATE"].done);
    EXPECT_EQ(all["UPDATE"].committed, all["UPDATE"].done);
    EXPECT_EQ(all["READ-MODIFY-WRITE"].found,
              2 * all["READ-MODIFY-WRITE"].done);
    EXPECT_NEAR(all["SCAN"].rows, 50.5 * all["SCAN"].done,
                20 * all["SCAN"].done);
    EXPECT_EQ(Violations(*workload), Texts{});
  }
  EXPECT_EQ(Violations(redis.values, redis.store), Texts{});
  redis.Ask({"ZREM", "usertable", "user6284781860667377211"});
  redis.Ask({"DEL", "user8517097267634966620"});
  EXPECT_EQ(
      Violations(redis.values, redis.store),
      (Texts{"usertable: one has bytes that are no row",
             "usertable: row 0 is missing", "usertable: row 1 is missing"}));
}

}  // namespace
}  // namespace waltax::mix
