// Fills the loaded families of an empty database, on all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "kv/writes.h"

namespace waltax::kv {

// On failure the database is left without a description; it must be removed.
Status Load(RocksdbEngine& engine, const Writes& writes, int threads,
            const std::function<void(const LoadedRows&)>& report,
            LoadedRows* loaded);

// Fails when the data set in `db_dir` is incomplete, has another layout, or was
// loaded with other flags than these.
Status VerifyDataSet(RocksdbEngine& engine, const std::string& db_dir,
                     const DataOptions& data);

}  // namespace waltax::kv
