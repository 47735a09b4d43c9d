// The rows of a graph as sorted table files of RocksDB (layout: keys.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/bulk_load.h"
#include "linkbench/graph_sink.h"
#include "linkbench/kv_tables.h"

namespace waltax::linkbench {

// The tables that are loaded; each value is its place in LoadChunk.
enum LoadedTable : uint8_t { kLinks, kIndex, kCounts, kNodes };
inline std::vector<rocksdb::ColumnFamilyHandle*> LoadedTables(
    const KvTables& tables) {
  return {tables.links, tables.index, tables.counts, tables.nodes};
}

class KvSink : public GraphSink {
 public:
  // `files` are those of LoadedTables(), and outlive it.
  explicit KvSink(LoadChunk* files) : files_(*files) {}

  void Node(uint64_t id, const NodeValue& value) override;
  void Links(uint64_t id1, uint64_t type, const LinkRows& links,
             uint64_t newest) override;
  [[nodiscard]] bool ok() const override { return status_.ok(); }
  [[nodiscard]] const rocksdb::Status& status() const { return status_; }

 private:
  void Put(LoadedTable table, const rocksdb::Slice& key) {
    if (status_.ok()) status_ = files_.Put(table, key, value_);
  }
  void WriteIndex(uint64_t id1, uint64_t type, const LinkRows& links);

  LoadChunk& files_;
  rocksdb::Status status_;
  std::vector<uint32_t> newest_first_;
  std::string value_;
};

}  // namespace waltax::linkbench
