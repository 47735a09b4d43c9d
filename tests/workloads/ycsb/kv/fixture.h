// A database of YCSB's table in a temporary directory.
#pragma once

#include "tests/driver/rocksdb/temporary_database.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

class TemporaryDatabase : public waltax::TemporaryDatabase {
 public:
  TemporaryDatabase() : waltax::TemporaryDatabase(KvTableNames()) {}
};

}  // namespace waltax::ycsb
