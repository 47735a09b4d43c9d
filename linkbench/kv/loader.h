// Fills an empty database with a graph, on all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "linkbench/data_set.h"
#include "linkbench/degrees.h"
#include "linkbench/graph_load.h"
#include "linkbench/options.h"

namespace waltax::linkbench {

// `engine` was opened with KvTableNames(). Returns with all rows ingested and
// the data set's description written.
// `report` is called about every second, from the calling thread. On failure
// the database is left without a description; it must be removed.
Status Load(RocksdbEngine& engine, const GraphOptions& graph,
            const OutDegrees& degrees, const LoadOptions& options,
            const std::function<void(const LoadProgress&)>& report,
            LoadProgress* loaded);

// Makes the data set whole. `engine` was opened with
// KvTableNames().
Status WriteMeta(RocksdbEngine& engine, const GraphOptions& graph,
                 const DataSet& data_set);

// Fails when the data set in `db_dir` is incomplete, has another layout, or was
// loaded with other graph flags than these.
Status VerifyMeta(RocksdbEngine& engine, const std::string& db_dir,
                  const GraphOptions& graph, const std::string& data_hash);

}  // namespace waltax::linkbench
