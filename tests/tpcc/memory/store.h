// The store in memory: a full second implementation, for tests and for runs
// that shall not touch an engine. About 150 MB a warehouse.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tpcc/population.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// Where the memory store keeps its rows: encoded as keys.h says, and found
// by their dense numbers.

struct MemoryOrder {
  std::string row;
  std::vector<std::string> lines;  // by number - 1
};

struct MemoryDistrict {
  std::string row;
  std::vector<std::string> customers;             // by c - 1
  std::vector<std::string> names;                 // ascending index keys
  std::vector<std::vector<std::string>> history;  // by c - 1, payment - 1
  std::vector<std::vector<uint32_t>> orders_of;   // by c - 1, ascending
  std::vector<MemoryOrder> orders;                // by o - 1
  std::deque<uint32_t> new_orders;                // ascending
  std::string oldest;                             // the low-water mark's row

  MemoryDistrict()
      : customers(kCustomersPerDistrict),
        history(kCustomersPerDistrict),
        orders_of(kCustomersPerDistrict),
        orders(kOrdersPerDistrict) {}
};

struct MemoryWarehouse {
  // Guards all that can change in the warehouse. Whoever needs several takes
  // them in ascending order.
  std::mutex mutex;
  std::string row;
  std::array<MemoryDistrict, kDistricts> districts;  // by d - 1
  std::vector<std::string> stock;                    // by i - 1

  MemoryWarehouse() : stock(kItems) {}
};

// Thread-safe: every warehouse has its lock.
class MemoryStore : public Store {
 public:
  // Filled with the initial population, on so many threads.
  MemoryStore(const PopulationOptions& options, int threads);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(Table table, std::string_view prefix,
              const table::Visit& visit) const override;
  [[nodiscard]] std::string_view isolation() const override {
    return "serializable";
  }

  // REQUIRES: there is such a warehouse.
  MemoryWarehouse& warehouse(uint32_t w) { return warehouses_[w - 1]; }
  // By i - 1; never changes.
  [[nodiscard]] const std::vector<std::string>& items() const { return items_; }

 private:
  friend class MemorySink;

  std::deque<MemoryWarehouse> warehouses_;  // by w - 1
  std::vector<std::string> items_;
};

// The five transactions (clauses 2.4.2 to 2.8.2) on rows in memory.
class MemorySession : public Session {
 public:
  explicit MemorySession(MemoryStore* store) : store_(*store) {}

  Reply NewOrder(const NewOrderInput& input, NewOrderOutput* output) override;
  Reply Payment(const PaymentInput& input, PaymentOutput* output) override;
  Reply OrderStatus(const OrderStatusInput& input,
                    OrderStatusOutput* output) override;
  Reply Delivery(const DeliveryInput& input, DeliveryOutput* output) override;
  Reply StockLevel(const StockLevelInput& input,
                   StockLevelOutput* output) override;

 private:
  // A row as it was before a transaction changed it.
  struct Before {
    std::string* stored;
    std::string row;
  };

  bool AddLines(const NewOrderInput& input, NewOrderOutput* output,
                MemoryOrder* order);
  Stock TakeStock(const NewOrderInput::Line& line, bool remote,
                  std::string* stored);
  void InsertOrder(const NewOrderInput& input, Timestamp entry_d,
                   MemoryOrder order, MemoryDistrict* district);
  void Pay(const PaymentInput& input, PaymentOutput* output,
           std::string* stored);
  void RollBack();
  uint32_t DeliverOldest(uint8_t carrier_id, Timestamp now,
                         MemoryDistrict* district);
  Cents StampLines(Timestamp now, MemoryOrder* order);
  // The text of `row` may point into `stored`, and is gone afterwards.
  template <typename Row>
  void Replace(std::string* stored, const Row& row);

  MemoryStore& store_;
  std::string encoded_;
  std::vector<Before> undo_;
  std::vector<uint32_t> items_;
};

}  // namespace waltax::tpcc
