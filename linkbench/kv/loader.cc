#include "linkbench/kv/loader.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "driver/rocksdb/bulk_load.h"
#include "linkbench/graph_load.h"
#include "linkbench/keys.h"
#include "linkbench/kv/store.h"

namespace waltax::linkbench {

namespace {

// The tables that are loaded; each value is its place in LoadChunk.
enum LoadedTable : uint8_t { kLinks, kIndex, kCounts, kNodes };
std::vector<rocksdb::ColumnFamilyHandle*> LoadedTables(const KvTables& tables) {
  return {tables.links, tables.index, tables.counts, tables.nodes};
}

// The rows of a graph as sorted table files (layout: keys.h).
class KvSink : public GraphSink {
 public:
  // `files` are those of LoadedTables(), and outlive it.
  explicit KvSink(LoadChunk* files) : files_(*files) {}

  void Node(uint64_t id, const NodeValue& value) override {
    EncodeRow(value, &value_);
    Put(kNodes, EncodeNodeKey(id).slice());
  }
  void Links(uint64_t id1, uint64_t type, const LinkRows& links,
             uint64_t newest) override {
    for (size_t i = 0; i < links.size(); ++i) {
      EncodeRow(links.value(i), &value_);
      Put(kLinks, EncodeLinkKey({id1, type, links.id2(i)}).slice());
    }
    EncodeRow(CountValue{links.size(), newest, 0}, &value_);
    Put(kCounts, EncodeCountKey(id1, type).slice());
    WriteIndex(id1, type, links);
  }
  [[nodiscard]] bool ok() const override { return status_.ok(); }
  [[nodiscard]] const rocksdb::Status& status() const { return status_; }

 private:
  void Put(LoadedTable table, const rocksdb::Slice& key) {
    if (status_.ok()) status_ = files_.Put(table, key, value_);
  }
  void WriteIndex(uint64_t id1, uint64_t type, const LinkRows& links) {
    newest_first_.resize(links.size());
    std::iota(newest_first_.begin(), newest_first_.end(), 0);
    // Links come by id2, and a stable sort keeps that order among equal times.
    std::stable_sort(newest_first_.begin(), newest_first_.end(),
                     [&links](uint32_t left, uint32_t right) {
                       return links.time(left) > links.time(right);
                     });
    for (const uint32_t i : newest_first_) {
      EncodeIndexValue(links.value(i), &value_);
      const LinkKey key = {id1, type, links.id2(i)};
      Put(kIndex, EncodeIndexKey(key, true, links.time(i)).slice());
    }
  }

  LoadChunk& files_;
  rocksdb::Status status_;
  std::vector<uint32_t> newest_first_;
  std::string value_;
};

LoadProgress Progress(const GraphLoad& graph_load, const LoadedRows& loaded) {
  LoadProgress progress;
  progress.ids = loaded.rows[kNodes];  // every id has its node
  progress.nodes = loaded.rows[kNodes];
  progress.links = loaded.rows[kLinks];
  progress.index = loaded.rows[kIndex];
  progress.counts = loaded.rows[kCounts];
  progress.bytes = loaded.bytes;
  progress.hub_degree = graph_load.hub_degree();
  return progress;
}

}  // namespace

Status Load(RocksdbEngine& engine, const GraphOptions& graph,
            const OutDegrees& degrees, const LoadOptions& options,
            const std::function<void(const LoadProgress&)>& report,
            LoadProgress* loaded) {
  GraphLoad graph_load(graph, degrees, options);
  BulkLoad load;
  load.db = engine.db();
  load.tables = LoadedTables(KvTables(engine));
  load.threads = options.threads;
  load.chunks = graph_load.Order();
  load.write = [&](uint64_t number, LoadChunk* files) {
    KvSink sink(files);
    graph_load.Write(number, &sink);
    return sink.status();
  };
  load.report = [&](const LoadedRows& rows) {
    report(Progress(graph_load, rows));
  };
  LoadedRows rows;
  const Status status = RunBulkLoad(load, &rows);
  if (status.ok()) *loaded = Progress(graph_load, rows);
  return status;
}

}  // namespace waltax::linkbench
