// The rows of a graph, as a load wants them.
#pragma once

#include <cstdint>
#include <mutex>

#include "driver/table/load.h"
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

// Generates a graph, chunk by chunk. They depend on the graph alone, so that
// the rows are the same with any number of threads and in any store.
class GraphLoad {
 public:
  // Everything referred to must outlive it.
  GraphLoad(const GraphOptions& graph, const OutDegrees& degrees,
            const LoadOptions& options);

  // Its load, which it must outlive.
  table::Load Plan();
  // Most links of one node so far. Thread-safe.
  [[nodiscard]] uint64_t hub_degree() const;

 private:
  void Write(uint64_t number, table::RowSink* sink);

  const GraphOptions& graph_;
  const OutDegrees& degrees_;
  const LoadOptions& options_;
  uint64_t chunk_ids_;
  mutable std::mutex mutex_;
  uint64_t hub_degree_ = 0;  // guarded by mutex_
};

}  // namespace waltax::linkbench
