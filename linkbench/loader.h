// Fills an empty database with a graph, on all cores.
#pragma once

#include <cstdint>
#include <functional>

#include "driver/rocksdb_engine.h"
#include "driver/status.h"
#include "linkbench/degrees.h"
#include "linkbench/options.h"

namespace waltax::linkbench {

struct LoadOptions {
  int threads = 1;
  // The same seed and `now_ms` give the same rows, whatever `threads` is.
  uint64_t seed = 1;
  // Links are spread over the 49.7 days before; nodes are from this moment.
  uint64_t now_ms = 0;
};

struct LoadProgress {
  uint64_t ids = 0;
  uint64_t nodes = 0;
  uint64_t links = 0;
  uint64_t index = 0;
  uint64_t counts = 0;
  uint64_t bytes = 0;       // of the finished files
  uint64_t hub_degree = 0;  // most links of one node so far
};

// `engine` was opened with KvTableNames(). Returns with all rows ingested and
// the data set's description written.
// `report` is called about every second, from the calling thread. On failure
// the database is left without a description; it must be removed.
Status Load(RocksdbEngine& engine, const GraphOptions& graph,
            const OutDegrees& degrees, const LoadOptions& options,
            const std::function<void(const LoadProgress&)>& report,
            LoadProgress* loaded);

}  // namespace waltax::linkbench
