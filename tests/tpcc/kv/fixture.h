// A TPC-C database in a temporary directory.
#pragma once

#include "driver/rocksdb/tables.h"
#include "tests/driver/rocksdb/temporary_database.h"
#include "tpcc/kv/rows.h"
#include "tpcc/population.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

class TemporaryDatabase : public waltax::TemporaryDatabase {
 public:
  TemporaryDatabase() : waltax::TemporaryDatabase(ColumnFamilies(Tables())) {}
  KvTables tables() { return KvTables(engine()); }
  LoadedRows Load(const PopulationOptions& population, int threads = 2) {
    LoadedRows loaded;
    const Status status =
        LoadTables(engine(), LoadOf(population, threads), &loaded);
    EXPECT_TRUE(status.ok()) << status.message();
    return loaded;
  }
};

}  // namespace waltax::tpcc
