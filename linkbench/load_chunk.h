// A range of ids on its way from the generator into sorted table files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/bulk_load.h"
#include "driver/random.h"
#include "linkbench/degrees.h"
#include "linkbench/distributions.h"
#include "linkbench/kv_tables.h"
#include "linkbench/loader.h"
#include "linkbench/options.h"
#include "linkbench/payload.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// The tables that are loaded; each value is its place in LoadChunk.
enum LoadedTable : uint8_t { kLinks, kIndex, kCounts, kNodes };
inline std::vector<rocksdb::ColumnFamilyHandle*> LoadedTables(
    const KvTables& tables) {
  return {tables.links, tables.index, tables.counts, tables.nodes};
}

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
  // Everything referred to must outlive the chunk; `files` are those of
  // LoadedTables().
  GraphChunk(const GraphOptions& graph, const OutDegrees& degrees,
             const LoadOptions& options, const ChunkRange& range,
             LoadChunk* files);

  rocksdb::Status Write();
  // Most links of one node.
  [[nodiscard]] uint64_t hub_degree() const { return hub_degree_; }

 private:
  rocksdb::Status WriteNode(uint64_t id);
  rocksdb::Status WriteLinks(uint64_t id1, uint64_t type, uint64_t links);
  rocksdb::Status WriteIndex(uint64_t id1, uint64_t type);
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
  LoadChunk& files_;
  uint64_t hub_degree_ = 0;
  // Of the (id1, type) at hand.
  std::vector<uint64_t> id2s_;
  LinkRows rows_;
  std::vector<uint32_t> newest_first_;
  std::string payload_;
  std::string value_;
};

}  // namespace waltax::linkbench
