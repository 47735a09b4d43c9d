// Verifies the tables of a shop, wherever they are stored:
//   customers, products  those of the load are there, and no others, and hold
//                        what they must (but for quantity and changes)
//   orders    those of the load are there and hold what they must; those of
//             runs are of loaded customers and products; after a run, those it
//             acknowledged are there, and no others beside the doubtful ones
//   index     each order has its entry, and each entry its order
//   changes   each product's quantity was changed at least once for each order
//             of runs that is there; after a run, all add up to those
//             acknowledged
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "driver/status.h"
#include "driver/workload.h"
#include "shop/rows.h"
#include "shop/store.h"

namespace waltax::shop {

// Keys from `first` to `last`, both included.
struct KeyRange {
  uint64_t first = 0;
  uint64_t last = 0;
};

// How a check reads a store. Thread-safe. Each calls its function with every
// row of the range, in any order; of the index, the customers' range.
class Tables {
 public:
  virtual ~Tables() = default;
  virtual Status ForCustomers(const KeyRange& range,
                              const std::function<void(const Customer&)>&) = 0;
  virtual Status ForProducts(const KeyRange& range,
                             const std::function<void(const Product&)>&) = 0;
  virtual Status ForOrders(const KeyRange& range,
                           const std::function<void(const Order&)>&) = 0;
  virtual Status ForEntries(
      const KeyRange& range,
      const std::function<void(uint64_t customer_id, uint64_t order_id)>&) = 0;
};

// Fails only when the store cannot be read.
Status CheckTables(const Population& population,
                   const std::optional<Expected>& expected, int threads,
                   Tables& tables, CheckResult* result);

// Reads the orders of runs, and all products.
Status SurveyTables(int threads, Tables& tables, Before* before);

}  // namespace waltax::shop
