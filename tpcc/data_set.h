// What a TPC-C database says about itself.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "driver/rocksdb_engine.h"
#include "driver/status.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

struct DataSet {
  uint32_t warehouses = 0;
  uint64_t seed = 0;
  uint32_t c_last = 0;  // C-Load: a run chooses its own by it
  Timestamp loaded_at_ms = 0;
  std::array<uint64_t, kTables> rows{};  // of each table after the load
};

// Makes the data set whole.
Status WriteDataSet(RocksdbEngine& engine, const DataSet& data_set);

// Fails (usage) when the data set in `db_dir` is incomplete, or of another
// workload or layout.
Status ReadDataSet(RocksdbEngine& engine, const std::string& db_dir,
                   DataSet* data_set);

}  // namespace waltax::tpcc
