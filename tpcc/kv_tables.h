// The column families of a TPC-C database, by name and by handle.
#pragma once

#include <rocksdb/utilities/transaction_db.h>

#include <array>
#include <string>
#include <vector>

#include "driver/rocksdb_engine.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

// "default" and then the tables, in the order of their enum.
inline const std::vector<std::string>& KvTableNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"default"};
    all.insert(all.end(), kTableNames.begin(), kTableNames.end());
    return all;
  }();
  return names;
}

// Borrowed from an engine that was opened with KvTableNames().
struct KvTables {
  explicit KvTables(RocksdbEngine& engine)
      : db(engine.db()), meta(engine.column_family(0)) {
    for (size_t i = 0; i < kTables; ++i) {
      handles[i] = engine.column_family(i + 1);
    }
  }
  [[nodiscard]] rocksdb::ColumnFamilyHandle* operator[](Table table) const {
    return handles[static_cast<size_t>(table)];
  }

  rocksdb::TransactionDB* db;
  rocksdb::ColumnFamilyHandle* meta;
  std::array<rocksdb::ColumnFamilyHandle*, kTables> handles;
};

}  // namespace waltax::tpcc
