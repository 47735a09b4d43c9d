// The store in memory: a full second implementation, for tests and for runs
// that shall not touch an engine. About 150 MB a warehouse.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tpcc/memory_tables.h"
#include "tpcc/population.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// Thread-safe: every warehouse has its lock.
class MemoryStore : public Store {
 public:
  // Filled with the initial population, on so many threads.
  MemoryStore(const PopulationOptions& options, int threads);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(Table table, std::string_view prefix,
              RowVisitor* visitor) const override;
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

}  // namespace waltax::tpcc
