#include "sqlops/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/reactor.h"
#include "tests/sqlops/null_store.h"

namespace waltax::sqlops {
namespace {

constexpr int64_t kAnswerNs = 1'000'000;

// Each statement takes a moment; counts how many are under way.
class SlowStore : public NullStore {
 public:
  SlowStore() : NullStore(1000) {}

  std::unique_ptr<Session> NewSession(uint64_t /*seed*/) override {
    ++sessions;
    return std::make_unique<SlowSession>(this);
  }

  int sessions = 0;
  int under_way = 0;
  int most = 0;
  bool fails = false;

 private:
  class SlowSession : public NullSession {
   public:
    explicit SlowSession(SlowStore* store)
        : NullSession(1000), store_(*store) {}
    Reply Delete(uint64_t id) override {
      store_.most = std::max(store_.most, ++store_.under_way);
      SleepFor(kAnswerNs);
      --store_.under_way;
      Reply reply = NullSession::Delete(id);
      error_ = "no";
      if (store_.fails) reply.error = &error_;
      return reply;
    }

   private:
    SlowStore& store_;
    std::string error_;
  };
};

// So many requesters, each with so many statements; what each statement that
// ended was, by its requester.
struct Ended {
  std::vector<int> requesters;
  std::vector<Reply> replies;
};
Ended RunAll(Store* store, int requesters, int statements) {
  Ended ended;
  std::vector<std::unique_ptr<Session>> sessions;
  std::vector<std::function<void()>> bodies;
  for (int i = 0; i < requesters; ++i) {
    sessions.push_back(store->NewSession(1));
    bodies.emplace_back([&ended, &session = *sessions.back(), i, statements] {
      for (int k = 0; k < statements; ++k) {
        ended.replies.push_back(session.Delete(1));
        ended.requesters.push_back(i);
      }
    });
  }
  Reactor().Run(bodies);
  return ended;
}

TEST(PooledStore, HasNoMoreStatementsUnderWayThanConnections) {
  auto slow = std::make_unique<SlowStore>();
  SlowStore& store = *slow;
  PooledStore pooled(std::move(slow), 3);
  EXPECT_EQ(RunAll(&pooled, 10, 4).replies.size(), 40);
  EXPECT_EQ(store.sessions, 3);
  EXPECT_EQ(store.most, 3);
}

TEST(PooledStore, ServesFirstWhoWaitsLongest) {
  PooledStore pooled(std::make_unique<SlowStore>(), 1);
  EXPECT_EQ(RunAll(&pooled, 3, 3).requesters,
            (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(PooledStore, TellsTheWaitApartFromTheService) {
  PooledStore pooled(std::make_unique<SlowStore>(), 1);
  const Ended ended = RunAll(&pooled, 3, 1);
  const auto first = ended.replies[0].waited.value_or(Reply::Waited{});
  const auto last = ended.replies[2].waited.value_or(Reply::Waited{});
  EXPECT_LT(first.for_connection_ns, first.with_it_ns);
  // Two others have the connection before it.
  EXPECT_GE(last.for_connection_ns, 2 * kAnswerNs);
  EXPECT_GE(first.with_it_ns, kAnswerNs);
}

TEST(PooledStore, NeverWaitsForOneRequester) {
  PooledStore pooled(std::make_unique<NullStore>(1000), 1);
  const auto session = pooled.NewSession(1);
  EXPECT_EQ(session->Delete(1).rows, 1);
  EXPECT_EQ(session->Delete(1).rows, 1);
}

TEST(PooledStore, KeepsWhatAStatementSaysWhenAnotherHasItsConnection) {
  auto slow = std::make_unique<SlowStore>();
  slow->fails = true;
  PooledStore pooled(std::move(slow), 1);
  const auto one = pooled.NewSession(1);
  const Reply failed = one->Delete(1);
  const auto other = pooled.NewSession(2);
  (void)other->Insert({});
  ASSERT_NE(failed.error, nullptr);
  EXPECT_EQ(*failed.error, "no");
}

TEST(Shape, BeginsItsRequestersEvenlyOverTheRamp) {
  const Shape shape{.ramp_s = 50, .requesters = 500};
  EXPECT_EQ(shape.BeginNs(0), 0);
  EXPECT_EQ(shape.BeginNs(1), 100'000'000);
  EXPECT_EQ(shape.BeginNs(499), 49'900'000'000);
}

}  // namespace
}  // namespace waltax::sqlops
