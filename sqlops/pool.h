// Connections that many requesters share, as a load generator's pool has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "driver/reactor.h"
#include "sqlops/store.h"

namespace waltax::sqlops {

// Sessions of a store that requesters of one thread take turns on: first come,
// first served. All of it is used by that thread.
class Pool {
 public:
  Pool(Store* store, size_t sessions, uint64_t seed);

  // Waits until one is free. The other requesters of the thread go on.
  Session& Take();
  void GiveBack(Session* session);

 private:
  std::vector<std::unique_ptr<Session>> sessions_;
  std::deque<Session*> free_;  // nobody waits while there is one
  std::deque<Fiber*> waiting_;
  std::deque<Session*> handed_;  // to those who were let go, in their order
};

// A store whose sessions share so many of another's. Its own are for the
// requesters of one thread.
class PooledStore : public Store {
 public:
  PooledStore(std::unique_ptr<Store> store, size_t sessions)
      : store_(std::move(store)), sessions_(sessions) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(Before* before) override { return store_->Survey(before); }
  Status Check(const Expected& expected, CheckResult* result) override {
    return store_->Check(expected, result);
  }

 private:
  std::unique_ptr<Store> store_;
  size_t sessions_;
  std::shared_ptr<Pool> pool_;
};

}  // namespace waltax::sqlops
