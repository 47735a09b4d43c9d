// A LinkBench database in a temporary directory.
#pragma once

#include "driver/rocksdb/rows.h"
#include "driver/rocksdb/tables.h"
#include "linkbench/store.h"
#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax::linkbench {

using KvTables = waltax::KvTables<Table, Tables>;

class TemporaryDatabase : public waltax::TemporaryDatabase {
 public:
  TemporaryDatabase() : waltax::TemporaryDatabase(ColumnFamilies(Tables())) {}
  KvTables tables() { return KvTables(engine()); }
};

}  // namespace waltax::linkbench
