#include "workloads/mix/pool.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <semaphore>
#include <string>

#include "driver/clock.h"
#include "driver/reactor.h"

namespace waltax::mix {

// Who waits for a session, until it is handed one.
class PooledStore::Waiter {
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

class PooledSession : public Session {
 public:
  explicit PooledSession(PooledStore* store) : store_(*store) {}

  MixReply Execute(const Request& request) override {
    const int64_t wanted_ns = MonotonicNs();
    Session& session = store_.Take(&waiter_);
    const int64_t taken_ns = MonotonicNs();
    MixReply reply = session.Execute(request);
    const int64_t ended_ns = MonotonicNs();
    // The next one to have the session overwrites what it says.
    written_ = session.written();
    if (reply.error != nullptr) {
      error_ = *reply.error;
      reply.error = &error_;
    }
    store_.GiveBack(&session, taken_ns - wanted_ns, ended_ns - taken_ns);
    return reply;
  }

 private:
  PooledStore& store_;
  PooledStore::Waiter waiter_;
  std::string error_;
};

std::unique_ptr<Session> PooledStore::NewSession(uint64_t seed) {
  const std::scoped_lock lock(mutex_);
  while (sessions_.size() < size_) {
    sessions_.push_back(store_->NewSession(seed + sessions_.size()));
    free_.push_back(sessions_.back().get());
  }
  return std::make_unique<PooledSession>(this);
}

Session& PooledStore::Take(Waiter* waiter) {
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

void PooledStore::GiveBack(Session* session, int64_t waited_ns,
                           int64_t served_ns) {
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

void PooledStore::AddToSlice(nlohmann::json* slice) {
  store_->AddToSlice(slice);
  nlohmann::json& columns = (*slice)["columns"];
  for (const auto& [name, ns] : {std::pair("connection_wait", &wait_ns_),
                                 std::pair("service", &service_ns_)}) {
    const auto add = [&](const char* statistic, double value) {
      columns[fmt::format("{}_us_{}", name, statistic)] = value / 1e3;
    };
    add("mean", ns->Mean());
    add("p50", static_cast<double>(ns->Percentile(50)));
    add("p99", static_cast<double>(ns->Percentile(99)));
    add("max", static_cast<double>(ns->Max()));
    ns->Clear();
  }
}

}  // namespace waltax::mix
