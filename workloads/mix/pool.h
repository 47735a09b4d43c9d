// Connections that many clients share, as a load generator's pool has them.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "driver/clock.h"
#include "driver/latency.h"
#include "driver/reactor.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// Sessions of a store on which clients take turns: first come, first served.
// They are requesters of one thread (driver/reactor.h).
class Pool {
 public:
  Pool(Store& store, size_t sessions, uint64_t seed) {
    for (size_t i = 0; i < sessions; ++i) {
      sessions_.push_back(store.NewSession(seed + i));
      free_.push_back(sessions_.back().get());
    }
  }

  // Waits until it is the caller's turn.
  Session& Take() {
    const int64_t wanted_ns = MonotonicNs();
    std::deque<Session*>& from = free_.empty() ? handed_ : free_;
    if (free_.empty()) Reactor::Current()->Await(&waiting_);
    Session* const session = from.front();
    from.pop_front();
    wait_ns_.Record(static_cast<uint64_t>(MonotonicNs() - wanted_ns));
    return *session;
  }
  // To who waits longest: the caller would take it again before that one runs.
  void GiveBack(Session* session) {
    (waiting_.empty() ? free_ : handed_).push_back(session);
    if (!waiting_.empty()) Reactor::Current()->LetGo(&waiting_);
  }
  // Adds how long clients waited for a session since the last call.
  void AddColumns(nlohmann::json* columns) {
    const auto add = [&](const char* statistic, auto ns) {
      (*columns)[std::string("connection_wait_us_") + statistic] =
          static_cast<double>(ns) / 1e3;
    };
    add("mean", wait_ns_.Mean());
    add("p50", wait_ns_.Percentile(50));
    add("p99", wait_ns_.Percentile(99));
    add("max", wait_ns_.Max());
    wait_ns_.Clear();
  }

 private:
  std::vector<std::unique_ptr<Session>> sessions_;
  std::deque<Session*> free_;    // nobody waits while there is one
  std::deque<Session*> handed_;  // to those who were let go, in their order
  std::deque<Fiber*> waiting_;
  Histogram wait_ns_;
};

// A client of a pool.
class PooledSession : public Session {
 public:
  explicit PooledSession(Pool* pool) : pool_(*pool) {}

  Outcome Execute(const Request& request) override {
    Session& session = pool_.Take();
    Outcome outcome = session.Execute(request);
    // The next one to have the session overwrites what it says.
    written_ = session.written();
    if (outcome.error != nullptr) {
      error_ = *outcome.error;
      outcome.error = &error_;
    }
    pool_.GiveBack(&session);
    return outcome;
  }

 private:
  Pool& pool_;
};

}  // namespace waltax::mix
