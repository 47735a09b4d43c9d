#include "linkbench/loader.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <vector>

#include "driver/bulk_load.h"
#include "linkbench/data_set.h"
#include "linkbench/load_chunk.h"

namespace waltax::linkbench {

namespace {

// Ids of a work item. Small graphs have smaller ones, so that there are enough
// for all cores; it must not depend on their number.
constexpr uint64_t kMostChunkIds = 1 << 16;
constexpr uint64_t kFewestChunkIds = 1 << 10;
constexpr uint64_t kFewestChunks = 16;

// Cuts the ids into chunks and writes them.
class GraphLoad {
 public:
  GraphLoad(const GraphOptions& graph, const OutDegrees& degrees,
            const LoadOptions& options)
      : graph_(graph),
        degrees_(degrees),
        options_(options),
        chunk_ids_(std::clamp(graph.ids() / kFewestChunks, kFewestChunkIds,
                              kMostChunkIds)) {}

  [[nodiscard]] std::vector<uint64_t> Order() const;
  // Thread-safe, as is Progress().
  rocksdb::Status Write(uint64_t number, LoadChunk* files);
  [[nodiscard]] LoadProgress Progress(const LoadedRows& loaded) const;

 private:
  const GraphOptions& graph_;
  const OutDegrees& degrees_;
  const LoadOptions& options_;
  uint64_t chunk_ids_;
  mutable std::mutex mutex_;
  uint64_t hub_degree_ = 0;  // guarded by mutex_
};

// The hub's chunk can take as long as all others: it must not come last.
std::vector<uint64_t> GraphLoad::Order() const {
  std::vector<uint64_t> order((graph_.ids() + chunk_ids_ - 1) / chunk_ids_);
  std::iota(order.begin(), order.end(), 0);
  const uint64_t hub = (degrees_.HottestId() - graph_.startid1) / chunk_ids_;
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(hub),
              order.end());
  return order;
}

rocksdb::Status GraphLoad::Write(uint64_t number, LoadChunk* files) {
  const uint64_t begin = graph_.startid1 + number * chunk_ids_;
  const ChunkRange range = {number, begin,
                            std::min(begin + chunk_ids_, graph_.maxid1)};
  GraphChunk chunk(graph_, degrees_, options_, range, files);
  const rocksdb::Status status = chunk.Write();
  const std::scoped_lock lock(mutex_);
  hub_degree_ = std::max(hub_degree_, chunk.hub_degree());
  return status;
}

LoadProgress GraphLoad::Progress(const LoadedRows& loaded) const {
  LoadProgress progress;
  progress.ids = loaded.rows[kNodes];  // every id has its node
  progress.nodes = loaded.rows[kNodes];
  progress.links = loaded.rows[kLinks];
  progress.index = loaded.rows[kIndex];
  progress.counts = loaded.rows[kCounts];
  progress.bytes = loaded.bytes;
  const std::scoped_lock lock(mutex_);
  progress.hub_degree = hub_degree_;
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
    return graph_load.Write(number, files);
  };
  load.report = [&](const LoadedRows& rows) {
    report(graph_load.Progress(rows));
  };
  LoadedRows rows;
  Status status = RunBulkLoad(load, &rows);
  if (!status.ok()) return status;
  *loaded = graph_load.Progress(rows);
  return WriteMeta(
      engine, graph,
      {options.seed, options.now_ms, degrees.data_hash(), loaded->nodes,
       loaded->links, loaded->counts, loaded->index});
}

}  // namespace waltax::linkbench
