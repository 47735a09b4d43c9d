#include "linkbench/sql/loader.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "linkbench/graph_load.h"
#include "mariadb/bulk_loader.h"
#include "mariadb/connection.h"
#include "mariadb/data_set_record.h"
#include "mariadb/parallel_load.h"
#include "mariadb/settle.h"

namespace waltax::linkbench {

namespace {

// Nodes and counts are sent as they come. Links wait for Finish(), by type: the
// primary key of linktable begins with the type, so that the rows of a chunk
// are as many stretches of the table as there are types, and MyRocks takes only
// stretches that no other bulk load reaches into.
class SqlSink : public GraphSink {
 public:
  // The connection is nobody else's until Finish().
  SqlSink(mariadb::Connection* connection, const std::string& engine)
      : connection_(connection),
        engine_(engine),
        rows_(connection, engine,
              {{"nodetable", "id, type, version, time, data"},
               {"counttable", "id, link_type, count, time, version"}}) {}

  void Node(uint64_t id, const NodeValue& value) override {
    rows_.BeginRow(kNodeTable);
    rows_.Number(id);
    rows_.Number(uint64_t{value.type});
    rows_.Number(value.version);
    rows_.Number(uint64_t{value.time});
    rows_.Text(value.data);
    rows_.EndRow();
  }
  void Links(uint64_t id1, uint64_t type, const LinkRows& links,
             uint64_t newest) override {
    rows_.BeginRow(kCountTable);
    rows_.Number(id1);
    rows_.Number(type);
    rows_.Number(uint64_t{links.size()});
    rows_.Number(newest);
    rows_.Number(uint64_t{0});
    rows_.EndRow();
    TypeLinks& waiting = by_type_[type];
    waiting.owners.push_back({id1, links.size()});
    for (size_t i = 0; i < links.size(); ++i) {
      waiting.rows.Add(links.id2(i), links.value(i));
    }
  }
  [[nodiscard]] bool ok() const override { return rows_.status().ok(); }
  // Sends the rest; returns with all rows in the tables.
  Status Finish() {
    Status status = rows_.Finish();
    bytes_ += rows_.bytes();
    for (const auto& [type, links] : by_type_) {
      if (status.ok()) status = SendLinks(type, links);
    }
    by_type_.clear();
    return status;
  }

  [[nodiscard]] uint64_t nodes() const { return rows_.rows(kNodeTable); }
  [[nodiscard]] uint64_t counts() const { return rows_.rows(kCountTable); }
  [[nodiscard]] uint64_t links() const { return links_; }  // that were sent
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kNodeTable = 0;
  static constexpr size_t kCountTable = 1;

  // The links of one type; those of an id1 are next to each other.
  struct TypeLinks {
    struct Owner {
      uint64_t id1;
      size_t links;
    };
    std::vector<Owner> owners;
    LinkRows rows;
  };

  Status SendLinks(uint64_t type, const TypeLinks& links) {
    mariadb::BulkLoader loader(
        connection_, engine_,
        {{"linktable",
          "link_type, id1, id2, visibility, version, time, data"}});
    size_t i = 0;
    for (const TypeLinks::Owner& owner : links.owners) {
      for (const size_t end = i + owner.links; i < end; ++i) {
        const LinkValue value = links.rows.value(i);
        loader.BeginRow(0);
        loader.Number(type);
        loader.Number(owner.id1);
        loader.Number(links.rows.id2(i));
        loader.Number(uint64_t{value.visible});
        loader.Number(uint64_t{value.version});
        loader.Number(value.time);
        loader.Text(value.data);
        loader.EndRow();
      }
    }
    const Status status = loader.Finish();
    links_ += loader.rows(0);
    bytes_ += loader.bytes();
    return status;
  }

  mariadb::Connection* connection_;
  std::string engine_;
  mariadb::BulkLoader rows_;
  std::map<uint64_t, TypeLinks> by_type_;
  uint64_t links_ = 0;
  uint64_t bytes_ = 0;
};

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
  if (!status.ok()) return status;
  return mariadb::Settle(*connection, place.engine,
                         "linktable, counttable, nodetable");
}

}  // namespace waltax::linkbench
