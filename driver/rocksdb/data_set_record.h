// What a database says about itself, under the key "meta" of its default
// column family. A loader writes it last, so that a database without it is a
// load that did not finish.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/rocksdb/engine.h"
#include "driver/status.h"

namespace waltax {

// Makes the data set whole: adds `workload` and `layout` to `record`, writes
// it past the WAL, and flushes it. Column family 0 of the engine must be
// "default".
Status WriteDataSetRecord(RocksdbEngine& engine, const std::string& workload,
                          int layout, nlohmann::json record);

// Reads it. Fails (usage) when it is missing, or of another workload or
// layout; says what to do about the data in `db_dir`.
Status ReadDataSetRecord(RocksdbEngine& engine, const std::string& workload,
                         int layout, const std::string& db_dir,
                         nlohmann::json* record);

}  // namespace waltax
