// The order in which a load writes a table, and its steps.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "shop/options.h"
#include "shop/rows.h"

namespace waltax::shop {

// A part of a table: rows of which none lies between those of another part, if
// they are sorted.
struct LoadStep {
  Table table = Table::kCustomers;
  uint64_t first = 0;
  uint64_t end = 0;
};

// Thread-safe. Keeps the keys, 8 bytes a row, where they are to be sorted.
class LoadOrder {
 public:
  // With `orders_at_once` they are one step, the first.
  LoadOrder(const Population& population, bool sorted, bool orders_at_once)
      : sorted_(sorted) {
    const uint64_t orders = population.sizes().orders;
    AddTable(Table::kOrders, orders, orders_at_once ? orders : kRowsOfStep);
    AddTable(Table::kProducts, population.sizes().products, kRowsOfStep);
    AddTable(Table::kCustomers, population.sizes().customers, kRowsOfStep);
  }

  [[nodiscard]] const std::vector<LoadStep>& steps() const { return steps_; }
  // The number of the `i`th row of a table.
  [[nodiscard]] uint64_t Number(Table table, uint64_t i) const {
    return sorted_ ? uid::Gathered(table, Keys(table)[i] & uid::kRandom) : i;
  }

 private:
  static constexpr uint64_t kRowsOfStep = 16384;

  [[nodiscard]] const std::vector<uint64_t>& Keys(Table table) const {
    return keys_[static_cast<size_t>(table)];
  }
  void AddTable(Table table, uint64_t rows, uint64_t of_step) {
    for (uint64_t first = 0; first < rows; first += of_step) {
      steps_.push_back({table, first, std::min(rows, first + of_step)});
    }
    std::vector<uint64_t>& keys = keys_[static_cast<size_t>(table)];
    if (!sorted_) return;
    keys.reserve(rows);
    for (uint64_t number = 0; number < rows; ++number) {
      keys.push_back(UidOf(table, kLoadMachine, number));
    }
    std::sort(keys.begin(), keys.end());
  }

  bool sorted_;
  std::vector<LoadStep> steps_;
  std::array<std::vector<uint64_t>, 3> keys_;  // by table
};

// Calls `write(row)` with each row of a step until it returns false.
template <typename Write>
void WriteStep(const Population& population, const LoadOrder& order,
               const LoadStep& step, const Write& write) {
  const auto all = [&](auto row) {
    for (uint64_t i = step.first; i < step.end; ++i) {
      population.Write(order.Number(step.table, i), &row);
      if (!write(row)) return;
    }
  };
  switch (step.table) {
    case Table::kCustomers:
      return all(Customer());
    case Table::kProducts:
      return all(Product());
    case Table::kOrders:
      return all(Order());
  }
}

}  // namespace waltax::shop
