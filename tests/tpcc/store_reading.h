// What a test reads from a store by Store::Scan.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tpcc/schema.h"
#include "tpcc/store.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

using Rows = std::vector<std::pair<std::string, std::string>>;

inline Rows RowsOf(const Store& store, Table table,
                   std::string_view prefix = {}) {
  Rows rows;
  const Status status = store.Scan(
      table, prefix, [&](std::string_view key, std::string_view value) {
        rows.emplace_back(key, value);
      });
  EXPECT_TRUE(status.ok()) << status.message();
  // An index comes in the store's order.
  if (TableOf(table).is_index()) std::sort(rows.begin(), rows.end());
  return rows;
}

// All rows of all tables.
inline std::vector<Rows> ContentOf(const Store& store) {
  std::vector<Rows> tables;
  for (size_t i = 0; i < kTables; ++i) {
    tables.push_back(RowsOf(store, static_cast<Table>(i)));
  }
  return tables;
}

// One row with its bytes.
template <typename Row>
class StoredRow {
 public:
  template <typename SomeKey>
  StoredRow(const Store& store, Table table, const SomeKey& key)
      : rows_(RowsOf(store, table, key.slice().ToStringView())) {
    EXPECT_EQ(rows_.size(), 1U);
    EXPECT_TRUE(DecodeRow(rows_.at(0).second, &row_));
  }
  const Row* operator->() const { return &row_; }

 private:
  Rows rows_;
  Row row_;
};

}  // namespace waltax::tpcc
