#include "workloads/mix/pool.h"

#include <fmt/format.h>

#include <deque>
#include <nlohmann/json.hpp>
#include <semaphore>
#include <string>
#include <vector>

#include "driver/clock.h"
#include "driver/latency.h"
#include "driver/reactor.h"

namespace waltax::mix {
namespace {

// Columns called NAME_us_STATISTIC; the histogram begins anew.
void TakeTimes(const std::string& name, Histogram* ns, nlohmann::json* to) {
  const auto add = [&](const char* statistic, double value) {
    (*to)[fmt::format("{}_us_{}", name, statistic)] = value / 1e3;
  };
  add("mean", ns->Mean());
  add("p50", static_cast<double>(ns->Percentile(50)));
  add("p99", static_cast<double>(ns->Percentile(99)));
  add("max", static_cast<double>(ns->Max()));
  ns->Clear();
}

}  // namespace

// What the clients share. Thread-safe.
class Pool {
 public:
  // Who waits for a session, until it is handed one.
  class Waiter {
   public:
    Session& Await() {
      if (Reactor* const reactor = Reactor::Current()) {
        reactor->Await(&fiber_);
      } else {
        thread_.acquire();
      }
      return *session_;
    }
    void Hand(Session* session) {
      session_ = session;
      if (Reactor* const reactor = Reactor::Current()) {
        reactor->LetGo(&fiber_);
      } else {
        thread_.release();
      }
    }

   private:
    Session* session_ = nullptr;
    std::deque<Fiber*> fiber_;
    std::binary_semaphore thread_{0};
  };

  Pool(Store* store, size_t sessions, uint64_t seed) {
    for (size_t i = 0; i < sessions; ++i) {
      sessions_.push_back(store->NewSession(seed + i));
      free_.push_back(sessions_.back().get());
    }
  }

  Session& Take(Waiter* waiter) {
    {
      const std::scoped_lock lock(mutex_);
      if (!free_.empty()) {
        Session* const session = free_.front();
        free_.pop_front();
        return *session;
      }
      waiting_.push_back(waiter);
    }
    return waiter->Await();
  }
  // To who waits longest: the caller would take it again before that one runs.
  void GiveBack(Session* session, int64_t waited_ns, int64_t served_ns) {
    Waiter* next = nullptr;
    {
      const std::scoped_lock lock(mutex_);
      wait_ns_.Record(static_cast<uint64_t>(waited_ns));
      service_ns_.Record(static_cast<uint64_t>(served_ns));
      if (waiting_.empty()) {
        free_.push_back(session);
        return;
      }
      next = waiting_.front();
      waiting_.pop_front();
    }
    next->Hand(session);
  }
  // REQUIRES: all clients are idle.
  void AddCounters(nlohmann::json* counters) {
    TakeTimes("connection_wait", &wait_ns_, counters);
    TakeTimes("service", &service_ns_, counters);
  }

 private:
  std::vector<std::unique_ptr<Session>> sessions_;
  std::mutex mutex_;
  std::deque<Session*> free_;  // nobody waits while there is one
  std::deque<Waiter*> waiting_;
  Histogram wait_ns_;
  Histogram service_ns_;
};

namespace {

class PooledSession : public Session {
 public:
  explicit PooledSession(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {}

  MixReply Execute(const Request& request) override {
    const int64_t wanted_ns = MonotonicNs();
    Session& session = pool_->Take(&waiter_);
    const int64_t taken_ns = MonotonicNs();
    MixReply reply = session.Execute(request);
    const int64_t ended_ns = MonotonicNs();
    // The next one to have the session overwrites what it says.
    written_ = session.written();
    if (reply.error != nullptr) {
      error_ = *reply.error;
      reply.error = &error_;
    }
    pool_->GiveBack(&session, taken_ns - wanted_ns, ended_ns - taken_ns);
    return reply;
  }
  void AddCounters(nlohmann::json* counters) override {
    pool_->AddCounters(counters);
  }

 private:
  std::shared_ptr<Pool> pool_;
  Pool::Waiter waiter_;
  std::string error_;
};

}  // namespace

std::unique_ptr<Session> PooledStore::NewSession(uint64_t seed) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<Pool> pool = pool_.lock();
  if (pool == nullptr) {
    pool = std::make_shared<Pool>(store_.get(), sessions_, seed);
    pool_ = pool;
  }
  return std::make_unique<PooledSession>(std::move(pool));
}

}  // namespace waltax::mix
