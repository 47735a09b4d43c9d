// Fills an empty database with a shop, on all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "shop/options.h"

namespace waltax::shop {

// What was loaded so far: rows of the three tables.
struct KvLoaded {
  uint64_t rows = 0;
  uint64_t bytes = 0;  // of table files
};

// `engine` was opened with KvTableNames(). Sorted, rows become table files that
// are ingested; unsorted, they go through memtables, past the WAL, and all is
// flushed. Returns with the data set's description written. `report` is called
// about every second, from the calling thread. On failure the database is left
// without a description; it must be removed.
Status Load(RocksdbEngine& engine, const DataOptions& data, uint64_t seed,
            int threads, const std::function<void(const KvLoaded&)>& report,
            KvLoaded* loaded);

// Fails when the data set in `db_dir` is incomplete, has another layout, or was
// loaded with other flags than these. `seed` is what it was loaded with.
Status VerifyDataSet(RocksdbEngine& engine, const std::string& db_dir,
                     const DataOptions& data, uint64_t* seed);

}  // namespace waltax::shop
