#include "linkbench/sql_loader.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "linkbench/data_set.h"
#include "linkbench/load_chunk.h"
#include "linkbench/sql_sink.h"
#include "mariadb/connection.h"
#include "mariadb/data_set_record.h"

namespace waltax::linkbench {

namespace {

// Hands out chunks to threads and adds up what they loaded.
class ParallelLoad {
 public:
  ParallelLoad(const SqlPlace& place, GraphLoad* graph)
      : place_(place), graph_(*graph), chunks_(graph->Order()) {}

  Status Run(int threads,
             const std::function<void(const LoadProgress&)>& report);
  [[nodiscard]] const LoadProgress& loaded() const { return loaded_; }

 private:
  void Work();
  Status LoadChunks();
  void Add(const SqlSink& sink);

  const SqlPlace& place_;
  GraphLoad& graph_;
  std::vector<uint64_t> chunks_;
  std::atomic<size_t> next_ = 0;

  std::mutex mutex_;  // guards the rest
  std::condition_variable finished_;
  int running_ = 0;
  LoadProgress loaded_;
  Status status_;
};

Status ParallelLoad::LoadChunks() {
  std::unique_ptr<mariadb::Connection> connection;
  Status status = mariadb::Connection::Open(place_.server, &connection);
  for (size_t i = next_++; status.ok() && i < chunks_.size(); i = next_++) {
    SqlSink sink(connection.get(), place_.engine);
    graph_.Write(chunks_[i], &sink);
    status = sink.Finish();
    Add(sink);
  }
  return status;
}

void ParallelLoad::Add(const SqlSink& sink) {
  const std::scoped_lock lock(mutex_);
  loaded_.ids += sink.nodes();  // every id has its node
  loaded_.nodes += sink.nodes();
  loaded_.counts += sink.counts();
  loaded_.links += sink.links();
  loaded_.bytes += sink.bytes();
  loaded_.hub_degree = graph_.hub_degree();
}

void ParallelLoad::Work() {
  const Status status = LoadChunks();
  const std::scoped_lock lock(mutex_);
  if (!status.ok()) {
    if (status_.ok()) status_ = status;
    next_ = chunks_.size();  // for the other threads
  }
  --running_;
  finished_.notify_one();
}

Status ParallelLoad::Run(
    int threads, const std::function<void(const LoadProgress&)>& report) {
  std::vector<std::thread> workers;
  running_ = threads;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back(&ParallelLoad::Work, this);
  }
  std::unique_lock lock(mutex_);
  while (!finished_.wait_for(lock, std::chrono::seconds(1),
                             [this] { return running_ == 0; })) {
    // Reporting writes to a pipe, which nobody may hurry to read.
    const LoadProgress loaded = loaded_;
    lock.unlock();
    report(loaded);
    lock.lock();
  }
  lock.unlock();
  for (std::thread& worker : workers) worker.join();
  return status_;
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
  GraphLoad graph_load(graph, degrees, options);
  ParallelLoad load(place, &graph_load);
  status = load.Run(options.threads, report);
  *loaded = load.loaded();
  // From the rows, not with them: the index runs through all types of an id, so
  // that what it gets from one stretch of linktable lies between what it gets
  // from the others.
  if (status.ok()) status = CreateLinkIndex(*connection, place);
  loaded->index = loaded->links;
  if (status.ok()) {
    status = WriteSqlMeta(
        *connection, place, graph,
        {options.seed, options.now_ms, degrees.data_hash(), loaded->nodes,
         loaded->links, loaded->counts, loaded->index});
  }
  return status.ok() ? Settle(*connection, place) : status;
}

}  // namespace waltax::linkbench
