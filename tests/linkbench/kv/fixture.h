// A LinkBench database in a temporary directory.
#pragma once

#include "driver/rocksdb/tables.h"
#include "linkbench/kv/store.h"
#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax::linkbench {

class TemporaryDatabase : public waltax::TemporaryDatabase {
 public:
  TemporaryDatabase() : waltax::TemporaryDatabase(ColumnFamilies(Tables())) {}
  KvTables tables() { return KvTables(engine()); }
};

}  // namespace waltax::linkbench
