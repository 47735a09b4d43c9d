#include "workloads/mix/pool.h"

#include <nlohmann/json.hpp>
#include <string>

#include "driver/clock.h"

namespace waltax::mix {
namespace {

// Adds columns of latencies, "NAME_mean" and others, which start anew.
void TakeLatency(const std::string& name, Histogram* ns,
                 nlohmann::json* columns) {
  const auto add = [&](const char* statistic, auto value) {
    (*columns)[name + statistic] = static_cast<double>(value) / 1e3;
  };
  add("_mean", ns->Mean());
  add("_p50", ns->Percentile(50));
  add("_p99", ns->Percentile(99));
  add("_max", ns->Max());
  ns->Clear();
}

}  // namespace

class PooledSession : public Session {
 public:
  explicit PooledSession(PooledStore* store) : store_(*store) {}

  MixReply Execute(const Request& request) override {
    const int64_t wanted_ns = MonotonicNs();
    Session& session = store_.Take();
    const int64_t taken_ns = MonotonicNs();
    MixReply reply = session.Execute(request);
    store_.wait_ns_.Record(static_cast<uint64_t>(taken_ns - wanted_ns));
    store_.service_ns_.Record(static_cast<uint64_t>(MonotonicNs() - taken_ns));
    // The next one to have the session overwrites what it says.
    written_ = session.written();
    if (reply.error != nullptr) {
      error_ = *reply.error;
      reply.error = &error_;
    }
    store_.GiveBack(&session);
    return reply;
  }

 private:
  PooledStore& store_;
  std::string error_;
};

std::unique_ptr<Session> PooledStore::NewSession(uint64_t seed) {
  while (sessions_.size() < size_) {
    sessions_.push_back(store_->NewSession(seed + sessions_.size()));
    free_.push_back(sessions_.back().get());
  }
  return std::make_unique<PooledSession>(this);
}

Session& PooledStore::Take() {
  std::deque<Session*>& from = free_.empty() ? handed_ : free_;
  if (free_.empty()) Reactor::Current()->Await(&waiting_);
  Session* const session = from.front();
  from.pop_front();
  return *session;
}

void PooledStore::GiveBack(Session* session) {
  if (waiting_.empty()) {
    free_.push_back(session);
    return;
  }
  handed_.push_back(session);
  Reactor::Current()->LetGo(&waiting_);
}

void PooledStore::AddToSlice(nlohmann::json* slice) {
  store_->AddToSlice(slice);
  nlohmann::json& columns = (*slice)["columns"];
  TakeLatency("connection_wait_us", &wait_ns_, &columns);
  TakeLatency("service_us", &service_ns_, &columns);
}

}  // namespace waltax::mix
