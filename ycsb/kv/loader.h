// Fills an empty database with records, on all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "ycsb/options.h"

namespace waltax::ycsb {

// `engine` was opened with KvTableNames(). Returns with all records ingested
// and the data set's description written. `report` is called about every
// second, from the calling thread. On failure the database is left without a
// description; it must be removed.
Status Load(RocksdbEngine& engine, const DataOptions& data, uint64_t seed,
            int threads, const std::function<void(const LoadedRows&)>& report,
            LoadedRows* loaded);

// Fails when the data set in `db_dir` is incomplete, has another layout, or was
// loaded with other flags than these.
Status VerifyDataSet(RocksdbEngine& engine, const std::string& db_dir,
                     const DataOptions& data);

}  // namespace waltax::ycsb
