// A LinkBench database in a temporary directory.
#pragma once

#include "linkbench/kv/store.h"
#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax::linkbench {

class TemporaryDatabase : public waltax::TemporaryDatabase {
 public:
  TemporaryDatabase() : waltax::TemporaryDatabase(KvTableNames()) {}
  KvTables tables() { return KvTables(engine()); }
};

}  // namespace waltax::linkbench
