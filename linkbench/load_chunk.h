// A range of ids on its way from the generator into a store's loader.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "driver/random.h"
#include "linkbench/degrees.h"
#include "linkbench/distributions.h"
#include "linkbench/graph_sink.h"
#include "linkbench/loader.h"
#include "linkbench/options.h"
#include "linkbench/payload.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// The ids [begin, end), which are the `number`th chunk.
struct ChunkRange {
  uint64_t number = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Generates the rows of the ids [begin, end). Everything random is drawn from
// the chunk's own stream (DEVIATION T12).
class GraphChunk {
 public:
  // Everything referred to must outlive the chunk.
  GraphChunk(const GraphOptions& graph, const OutDegrees& degrees,
             const LoadOptions& options, const ChunkRange& range,
             GraphSink* sink);

  void Write();
  // Most links of one node.
  [[nodiscard]] uint64_t hub_degree() const { return hub_degree_; }

 private:
  void WriteNode(uint64_t id);
  // Returns how many: a target drawn twice is one link.
  uint64_t WriteLinks(uint64_t id1, uint64_t type, uint64_t links);
  void ChooseId2s(uint64_t id1, uint64_t links);

  const GraphOptions& graph_;
  const OutDegrees& degrees_;
  uint64_t now_ms_;
  ChunkRange range_;
  Random random_;
  LogNormal link_size_;
  LogNormal node_size_;
  MotifPayload link_payload_;
  MotifPayload node_payload_;
  GraphSink& sink_;
  uint64_t hub_degree_ = 0;
  // Of the (id1, type) at hand.
  std::vector<uint64_t> id2s_;
  LinkRows rows_;
  std::string payload_;
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
