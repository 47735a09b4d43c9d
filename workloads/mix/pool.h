// Connections that many clients share, as a load generator's pool has them.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "driver/latency.h"
#include "driver/reactor.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// A store whose sessions take turns on so many of another's: first come, first
// served. They are requesters of one thread (driver/reactor.h). Those of the
// other store are opened with the first.
class PooledStore : public Store {
 public:
  PooledStore(std::unique_ptr<Store> store, size_t sessions)
      : store_(std::move(store)), size_(sessions) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(size_t table, const Visit& visit) override {
    return store_->Scan(table, visit);
  }
  Status ScanIndex(size_t table, size_t index,
                   const VisitEntry& visit) override {
    return store_->ScanIndex(table, index, visit);
  }
  // "columns": how long clients waited for a session, and how long that took.
  void AddToSlice(nlohmann::json* slice) override;

 private:
  friend class PooledSession;

  Session& Take();
  // To who waits longest: the caller would take it again before that one runs.
  void GiveBack(Session* session);

  std::unique_ptr<Store> store_;
  size_t size_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::deque<Session*> free_;    // nobody waits while there is one
  std::deque<Session*> handed_;  // to those who were let go, in their order
  std::deque<Fiber*> waiting_;
  Histogram wait_ns_;
  Histogram service_ns_;
};

}  // namespace waltax::mix
