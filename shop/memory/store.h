// The store in memory: a full second implementation, for tests and for runs
// that shall not touch an engine.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "shop/check.h"
#include "shop/store.h"

namespace waltax::shop {

// Thread-safe: one lock, which each transaction takes once.
class MemoryStore : public Store, private Tables {
 public:
  // Filled as a load fills a database.
  explicit MemoryStore(const Population& population);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(int threads, Before* before) override;
  Status Check(const std::optional<Expected>& expected, int threads,
               CheckResult* result) override;

  // What a fault would change. REQUIRES: nothing else is under way.
  std::map<uint64_t, Customer> customers;
  std::map<uint64_t, Product> products;
  std::map<uint64_t, Order> orders;
  std::set<std::pair<uint64_t, uint64_t>> index;  // customer_id, order_id

 private:
  friend class MemorySession;

  // Without the lock: all sessions are idle.
  Status ForCustomers(const KeyRange& range,
                      const std::function<void(const Customer&)>&) override;
  Status ForProducts(const KeyRange& range,
                     const std::function<void(const Product&)>&) override;
  Status ForOrders(const KeyRange& range,
                   const std::function<void(const Order&)>&) override;
  Status ForEntries(
      const KeyRange& range,
      const std::function<void(uint64_t, uint64_t)>& each) override;

  Population population_;
  std::mutex mutex_;
};

}  // namespace waltax::shop
