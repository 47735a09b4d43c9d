// The column families of a LinkBench database, by name and by handle.
#pragma once

#include <rocksdb/utilities/transaction_db.h>

#include <string>
#include <vector>

#include "driver/rocksdb_engine.h"

namespace waltax::linkbench {

// In the order in which KvTables takes their handles; "default" holds the
// data set's record.
inline const std::vector<std::string>& KvTableNames() {
  static const std::vector<std::string> names = {"default", "links", "index",
                                                 "counts", "nodes"};
  return names;
}

// Borrowed from an engine that was opened with KvTableNames().
struct KvTables {
  explicit KvTables(RocksdbEngine& engine)
      : db(engine.db()),
        links(engine.column_family(1)),
        index(engine.column_family(2)),
        counts(engine.column_family(3)),
        nodes(engine.column_family(4)) {}

  rocksdb::TransactionDB* db;
  rocksdb::ColumnFamilyHandle* links;
  rocksdb::ColumnFamilyHandle* index;
  rocksdb::ColumnFamilyHandle* counts;
  rocksdb::ColumnFamilyHandle* nodes;
};

}  // namespace waltax::linkbench
