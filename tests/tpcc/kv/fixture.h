// A TPC-C database in a temporary directory.
#pragma once

#include "tests/driver/rocksdb/temporary_database.h"
#include "tpcc/kv/rows.h"

namespace waltax::tpcc {

class TemporaryDatabase : public waltax::TemporaryDatabase {
 public:
  TemporaryDatabase() : waltax::TemporaryDatabase(KvTableNames()) {}
  KvTables tables() { return KvTables(engine()); }
};

}  // namespace waltax::tpcc
