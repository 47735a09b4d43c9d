#include "linkbench/sql_loader.h"

#include <memory>
#include <mutex>
#include <vector>

#include "linkbench/data_set.h"
#include "linkbench/load_chunk.h"
#include "linkbench/sql_sink.h"
#include "mariadb/connection.h"
#include "mariadb/data_set_record.h"
#include "mariadb/parallel_load.h"

namespace waltax::linkbench {

namespace {

// Writes all chunks, beside each other.
Status LoadRows(const SqlPlace& place, int threads, GraphLoad* graph,
                const std::function<void(const LoadProgress&)>& report,
                LoadProgress* loaded) {
  const std::vector<uint64_t> chunks = graph->Order();
  *loaded = {};
  std::mutex mutex;  // of `loaded`
  const auto load = [&](uint64_t step, mariadb::Connection& connection) {
    SqlSink sink(&connection, place.engine);
    graph->Write(chunks[step], &sink);
    Status status = sink.Finish();
    const std::scoped_lock lock(mutex);
    loaded->ids += sink.nodes();  // every id has its node
    loaded->nodes += sink.nodes();
    loaded->counts += sink.counts();
    loaded->links += sink.links();
    loaded->bytes += sink.bytes();
    loaded->hub_degree = graph->hub_degree();
    return status;
  };
  const auto report_loaded = [&] {
    std::unique_lock lock(mutex);
    const LoadProgress so_far = *loaded;
    lock.unlock();
    report(so_far);
  };
  return mariadb::RunParallelLoad(
      {place.server, threads, chunks.size(), load, report_loaded});
}

}  // namespace

Status LoadSql(const SqlPlace& place, const GraphOptions& graph,
               const OutDegrees& degrees, const LoadOptions& options,
               const std::function<void(const LoadProgress&)>& report,
               LoadProgress* loaded) {
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(place.server, &connection);
  if (status.ok()) status = mariadb::WantEmptyDatabase(*connection);
  if (status.ok()) status = CreateTables(*connection, place, graph.maxid1);
  if (!status.ok()) return status;
  GraphLoad load(graph, degrees, options);
  status = LoadRows(place, options.threads, &load, report, loaded);
  // From the rows, not with them: the index runs through all types of an id, so
  // that what it gets from one stretch of linktable lies between what it gets
  // from the others.
  if (status.ok()) status = CreateLinkIndex(*connection, place);
  loaded->index = loaded->links;
  if (status.ok()) status = Settle(*connection, place);
  if (!status.ok()) return status;
  return WriteSqlMeta(
      *connection, place, graph,
      {options.seed, options.now_ms, degrees.data_hash(), loaded->nodes,
       loaded->links, loaded->counts, loaded->index});
}

}  // namespace waltax::linkbench
