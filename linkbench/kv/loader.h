// Fills an empty database with a graph, on all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "linkbench/degrees.h"
#include "linkbench/graph_load.h"
#include "linkbench/options.h"

namespace waltax::linkbench {

// `engine` was opened with KvTableNames(). Returns with all rows ingested.
// `report` is called about every second, from the calling thread. On failure
// the database must be removed.
Status Load(RocksdbEngine& engine, const GraphOptions& graph,
            const OutDegrees& degrees, const LoadOptions& options,
            const std::function<void(const LoadProgress&)>& report,
            LoadProgress* loaded);

}  // namespace waltax::linkbench
