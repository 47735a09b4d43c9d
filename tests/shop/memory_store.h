// The store in memory: a full second implementation.
#pragma once

#include <algorithm>
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

template <typename Row>
void Fill(const Population& population, Table table,
          std::map<uint64_t, Row>* rows) {
  Row row;
  for (uint64_t i = 0; i < population.size(table); ++i) {
    population.Write(i, &row);
    rows->emplace(row.id, row);
  }
}

template <typename Row, typename Each>
Status InRange(const std::map<uint64_t, Row>& rows, const KeyRange& range,
               const Each& each) {
  for (auto at = rows.lower_bound(range.first);
       at != rows.end() && at->first <= range.last; ++at) {
    each(at->second);
  }
  return Status::Ok();
}

class MemorySession : public Session {
 public:
  explicit MemorySession(MemoryStore* store) : store_(*store) {}

  Reply CustomerOrders(uint64_t customer_id) override {
    const std::scoped_lock lock(store_.mutex_);
    Reply reply;
    reply.found = Has(store_.customers, customer_id);
    for (auto at = store_.index.lower_bound({customer_id, 0});
         at != store_.index.end() && at->first == customer_id; ++at) {
      reply.orders += Has(store_.orders, at->second);
    }
    return reply;
  }
  Reply NewOrder(const Order& order,
                 const std::array<uint64_t, kLookedAt>& ids) override {
    const std::scoped_lock lock(store_.mutex_);
    Reply reply;
    reply.found = Has(store_.customers, order.customer_id);
    for (const uint64_t id : ids) reply.found += Has(store_.products, id);
    if (reply.found < 1 + kLookedAt) return reply;
    store_.orders.emplace(order.id, order);
    store_.index.emplace(order.customer_id, order.id);
    Product& product = store_.products.at(order.product_id);
    product.quantity -= static_cast<int32_t>(order.quantity);
    ++product.changes;
    return reply;
  }
  Reply SetQuantity(uint64_t product_id, int32_t quantity) override {
    const std::scoped_lock lock(store_.mutex_);
    Reply reply;
    const auto at = store_.products.find(product_id);
    if (at == store_.products.end()) return reply;
    at->second.quantity = quantity;
    ++at->second.changes;
    reply.found = 1;
    return reply;
  }

 private:
  template <typename Row>
  static uint32_t Has(const std::map<uint64_t, Row>& rows, uint64_t id) {
    return rows.contains(id) ? 1 : 0;
  }

  MemoryStore& store_;
};

inline MemoryStore::MemoryStore(const Population& population)
    : population_(population) {
  Fill(population, Table::kCustomers, &customers);
  Fill(population, Table::kProducts, &products);
  Fill(population, Table::kOrders, &orders);
  for (const auto& [id, order] : orders) index.emplace(order.customer_id, id);
}

inline std::unique_ptr<Session> MemoryStore::NewSession(uint64_t /*seed*/) {
  return std::make_unique<MemorySession>(this);
}

inline Status MemoryStore::Survey(int threads, Before* before) {
  return SurveyTables(threads, *this, before);
}

inline Status MemoryStore::Check(const std::optional<Expected>& expected,
                                 int threads, CheckResult* result) {
  return CheckTables(population_, expected, threads, *this, result);
}

inline Status MemoryStore::ForCustomers(
    const KeyRange& range, const std::function<void(const Customer&)>& each) {
  return InRange(customers, range, each);
}

inline Status MemoryStore::ForProducts(
    const KeyRange& range, const std::function<void(const Product&)>& each) {
  return InRange(products, range, each);
}

inline Status MemoryStore::ForOrders(
    const KeyRange& range, const std::function<void(const Order&)>& each) {
  return InRange(orders, range, each);
}

inline Status MemoryStore::ForEntries(
    const KeyRange& range,
    const std::function<void(uint64_t, uint64_t)>& each) {
  for (auto at = index.lower_bound({range.first, 0});
       at != index.end() && at->first <= range.last; ++at) {
    each(at->first, at->second);
  }
  return Status::Ok();
}

}  // namespace waltax::shop
