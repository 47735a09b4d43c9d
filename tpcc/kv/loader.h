// Fills an empty database with the initial population: sorted table files,
// written on all cores, ingested at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "tpcc/data_set.h"
#include "tpcc/population.h"

namespace waltax::tpcc {

// REQUIRES: `engine` was opened with KvTableNames(). Returns with all rows
// ingested and the data set described. `report` is called about every second,
// from the calling thread. The rows are the same whatever `threads` is. On
// failure the database has no description; it must be removed.
Status Load(RocksdbEngine& engine, const PopulationOptions& options,
            int threads, const std::function<void(const LoadedRows&)>& report,
            LoadedRows* loaded);

// Makes the data set whole.
Status WriteDataSet(RocksdbEngine& engine, const DataSet& data_set);

// The description that a load left. Fails (usage) when the data set in `db_dir`
// is incomplete, or of another workload or layout.
Status ReadDataSet(RocksdbEngine& engine, const std::string& db_dir,
                   DataSet* data_set);

}  // namespace waltax::tpcc
