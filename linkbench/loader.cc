#include "linkbench/loader.h"

#include "driver/bulk_load.h"
#include "linkbench/data_set.h"
#include "linkbench/kv_sink.h"
#include "linkbench/load_chunk.h"

namespace waltax::linkbench {

namespace {

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
  Status status = RunBulkLoad(load, &rows);
  if (!status.ok()) return status;
  *loaded = Progress(graph_load, rows);
  return WriteMeta(
      engine, graph,
      {options.seed, options.now_ms, degrees.data_hash(), loaded->nodes,
       loaded->links, loaded->counts, loaded->index});
}

}  // namespace waltax::linkbench
