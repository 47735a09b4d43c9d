// A graph on its way from the generator into a store: what is to be loaded, the
// chunks of ids that threads work at, and the sink that takes their rows.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "linkbench/degrees.h"
#include "linkbench/options.h"
#include "linkbench/store.h"

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

// Where the rows of a graph go that is being loaded. Takes a chunk of ids on
// one thread. The first failure stays, and what comes after it is dropped.
class GraphSink {
 public:
  virtual ~GraphSink() = default;
  // Ids ascend.
  virtual void Node(uint64_t id, const NodeValue& value) = 0;
  // All links of a pair, which are all visible: their number is its count, and
  // `newest` the time of the latest, which is the count's. Pairs ascend by
  // (id1, type), links by id2; there is at least one.
  virtual void Links(uint64_t id1, uint64_t type, const LinkRows& links,
                     uint64_t newest) = 0;
  [[nodiscard]] virtual bool ok() const = 0;
};

// The ids [begin, end), which are the `number`th chunk.
struct ChunkRange {
  uint64_t number = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Cuts a graph's ids into chunks. They depend on the graph alone, so that the
// rows are the same with any number of threads and in any store.
class GraphLoad {
 public:
  // Everything referred to must outlive it.
  GraphLoad(const GraphOptions& graph, const OutDegrees& degrees,
            const LoadOptions& options);

  // The numbers of the chunks, in the order in which they should begin.
  [[nodiscard]] std::vector<uint64_t> Order() const;
  // Thread-safe, as is hub_degree().
  void Write(uint64_t number, GraphSink* sink);
  // Most links of one node so far.
  [[nodiscard]] uint64_t hub_degree() const;

 private:
  const GraphOptions& graph_;
  const OutDegrees& degrees_;
  const LoadOptions& options_;
  uint64_t chunk_ids_;
  mutable std::mutex mutex_;
  uint64_t hub_degree_ = 0;  // guarded by mutex_
};

}  // namespace waltax::linkbench
