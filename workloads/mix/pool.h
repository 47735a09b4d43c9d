// Connections that many clients share, as a load generator's pool has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "workloads/mix/store.h"

namespace waltax::mix {

// A store whose sessions take turns on so many of another's: first come, first
// served. Each is used on a thread of its own, or all of them on one
// (driver/reactor.h). Those of the other store end with the last of them.
class PooledStore : public Store {
 public:
  PooledStore(std::unique_ptr<Store> store, size_t sessions)
      : store_(std::move(store)), sessions_(sessions) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(size_t table, size_t index, const Visit& visit) override {
    return store_->Scan(table, index, visit);
  }

 private:
  std::unique_ptr<Store> store_;
  size_t sessions_;
  std::mutex mutex_;
  std::weak_ptr<class Pool> pool_;
};

}  // namespace waltax::mix
