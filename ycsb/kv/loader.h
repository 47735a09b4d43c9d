// Fills an empty database with records, on all cores.
#pragma once

#include <cstdint>

#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "ycsb/options.h"
#include "ycsb/population.h"

namespace waltax::ycsb {

// `engine` was opened with KvTableNames(). Returns with all records ingested.
// `report` is called about every second, from the calling thread. On failure
// the database must be removed.
Status Load(RocksdbEngine& engine, const DataOptions& data, uint64_t seed,
            int threads, const ReportLoaded& report, RecordsLoaded* loaded);

}  // namespace waltax::ycsb
