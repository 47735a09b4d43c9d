// A range of ids on its way from the generator into sorted table files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/random.h"
#include "linkbench/degrees.h"
#include "linkbench/distributions.h"
#include "linkbench/kv_tables.h"
#include "linkbench/loader.h"
#include "linkbench/options.h"
#include "linkbench/payload.h"
#include "linkbench/sst_writer.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// Of each table, as the database has them: they are costly to copy, so all
// chunks share one set.
struct TableOptions {
  explicit TableOptions(const KvTables& tables)
      : links(tables.db->GetOptions(tables.links)),
        index(tables.db->GetOptions(tables.index)),
        counts(tables.db->GetOptions(tables.counts)),
        nodes(tables.db->GetOptions(tables.nodes)) {}
  rocksdb::Options links;
  rocksdb::Options index;
  rocksdb::Options counts;
  rocksdb::Options nodes;
};

// The ids [begin, end), which are the `number`th chunk.
struct ChunkRange {
  uint64_t number = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Generates the rows of the ids [begin, end) and writes them to four files.
// Everything random is drawn from the chunk's own stream (DEVIATION T12).
class Chunk {
 public:
  // Everything referred to must outlive the chunk.
  Chunk(const KvTables& tables, const TableOptions& table_options,
        const GraphOptions& graph, const OutDegrees& degrees,
        const LoadOptions& options, const ChunkRange& range,
        const std::string& directory);

  rocksdb::Status Write();
  void AddTo(LoadProgress* progress) const;
  [[nodiscard]] std::vector<const SstWriter*> files() const {
    return {&links_, &index_, &counts_, &nodes_};
  }

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
  SstWriter links_;
  SstWriter index_;
  SstWriter counts_;
  SstWriter nodes_;
  uint64_t hub_degree_ = 0;
  // Of the (id1, type) at hand.
  std::vector<uint64_t> id2s_;
  LinkRows rows_;
  std::vector<uint32_t> newest_first_;
  std::string payload_;
  std::string value_;
};

}  // namespace waltax::linkbench
