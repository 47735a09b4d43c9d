// Fills an empty database with the initial population: sorted table files,
// written on all cores, ingested at the end.
#pragma once

#include <cstdint>
#include <functional>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "tpcc/population.h"

namespace waltax::tpcc {

// REQUIRES: `engine` was opened with KvTableNames(). Returns with all rows
// ingested. `report` is called about every second, from the calling thread. The
// rows are the same whatever `threads` is. On failure the database must be
// removed.
Status Load(RocksdbEngine& engine, const PopulationOptions& options,
            int threads, const std::function<void(const LoadedRows&)>& report,
            LoadedRows* loaded);

}  // namespace waltax::tpcc
