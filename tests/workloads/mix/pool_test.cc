#include "workloads/mix/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/reactor.h"

namespace waltax::mix {
namespace {

constexpr int64_t kAnswerNs = 1'000'000;

// Each operation takes a moment; counts how many are under way.
class SlowStore : public Store {
 public:
  std::unique_ptr<Session> NewSession(uint64_t /*seed*/) override {
    return std::make_unique<SlowSession>(this, sessions++);
  }
  Status Scan(size_t /*table*/, const Visit& /*visit*/) override {
    return Status::Ok();
  }

  uint32_t sessions = 0;
  int under_way = 0;
  int most = 0;

 private:
  // Says what it was asked for, and on which session.
  class SlowSession : public Session {
   public:
    SlowSession(SlowStore* store, uint32_t number)
        : store_(*store), number_(number) {}
    Outcome Execute(const Request& request) override {
      store_.most = std::max(store_.most, ++store_.under_way);
      SleepFor(kAnswerNs);
      --store_.under_way;
      error_ = std::to_string(request.stamp);
      written_ = {static_cast<uint32_t>(request.stamp)};
      Outcome reply;
      reply.rows = number_;
      reply.error = &error_;
      return reply;
    }

   private:
    SlowStore& store_;
    uint32_t number_;
    std::string error_;
  };
};

struct Pooled {
  explicit Pooled(size_t sessions) {
    pool = std::make_unique<Pool>(slow, sessions, 1);
  }
  // What so many clients do, each of them so many times.
  std::vector<std::function<void()>> Clients(int clients, int operations) {
    std::vector<std::function<void()>> bodies;
    for (int i = 0; i < clients; ++i) {
      sessions.push_back(std::make_unique<PooledSession>(pool.get()));
      bodies.emplace_back([this, i, operations, &own = *sessions.back()] {
        Request request;
        request.stamp = static_cast<uint64_t>(i);
        for (int k = 0; k < operations; ++k) {
          const Outcome reply = own.Execute(request);
          EXPECT_EQ(*reply.error, std::to_string(i));
          EXPECT_EQ(own.written(), std::vector{static_cast<uint32_t>(i)});
          ended.push_back(i);
        }
      });
    }
    return bodies;
  }
  nlohmann::json Columns() {
    nlohmann::json columns;
    pool->AddColumns(&columns);
    return columns;
  }

  SlowStore slow;
  std::unique_ptr<Pool> pool;
  std::vector<std::unique_ptr<Session>> sessions;
  std::vector<int> ended;  // the client of each operation, in their order
};

TEST(MixPool, HasNoMoreOperationsUnderWayThanConnections) {
  Pooled pooled(3);
  Reactor().Run(pooled.Clients(10, 4));
  EXPECT_EQ(pooled.ended.size(), 40);
  EXPECT_EQ(pooled.slow.sessions, 3);
  EXPECT_EQ(pooled.slow.most, 3);
}

TEST(MixPool, ServesFirstWhoWaitsLongest) {
  Pooled pooled(1);
  Reactor().Run(pooled.Clients(3, 3));
  EXPECT_EQ(pooled.ended, (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(MixPool, TellsHowLongClientsWaitedAndBeginsAnew) {
  Pooled pooled(1);
  Reactor().Run(pooled.Clients(3, 1));
  const nlohmann::json columns = pooled.Columns();
  // Two others have the connection before the last one.
  EXPECT_GE(columns["connection_wait_us_max"], 2 * kAnswerNs / 1e3);
  EXPECT_LE(columns["connection_wait_us_p50"],
            columns["connection_wait_us_max"]);
  EXPECT_EQ(pooled.Columns()["connection_wait_us_max"], 0);
}

}  // namespace
}  // namespace waltax::mix
