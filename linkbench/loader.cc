#include "linkbench/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "driver/rocksdb_status.h"
#include "linkbench/data_set.h"
#include "linkbench/load_chunk.h"

namespace waltax::linkbench {

namespace {

// Ids of a work item. Small graphs have smaller ones, so that there are enough
// for all cores; it must not depend on their number.
constexpr uint64_t kMostChunkIds = 1 << 16;
constexpr uint64_t kFewestChunkIds = 1 << 10;
constexpr uint64_t kFewestChunks = 16;

// Hands out chunks to threads and collects their files.
class Loader {
 public:
  Loader(const KvTables& tables, const GraphOptions& graph,
         const OutDegrees& degrees, const LoadOptions& options)
      : tables_(tables),
        graph_(graph),
        degrees_(degrees),
        options_(options),
        table_options_(tables),
        directory_(tables.db->GetName() + "/load"),
        chunk_ids_(std::clamp(graph.ids() / kFewestChunks, kFewestChunkIds,
                              kMostChunkIds)),
        chunks_((graph.ids() + chunk_ids_ - 1) / chunk_ids_) {
    // The hub's chunk can take as long as all others: it must not come last.
    order_.resize(chunks_);
    std::iota(order_.begin(), order_.end(), 0);
    const uint64_t hub = (degrees.HottestId() - graph.startid1) / chunk_ids_;
    std::rotate(order_.begin(),
                order_.begin() + static_cast<std::ptrdiff_t>(hub),
                order_.end());
  }

  Status Run(const std::function<void(const LoadProgress&)>& report,
             LoadProgress* loaded);

 private:
  void Work();
  rocksdb::Status WriteChunk(uint64_t number);
  void WaitAndReport(const std::function<void(const LoadProgress&)>& report);
  rocksdb::Status Ingest();

  const KvTables& tables_;
  const GraphOptions& graph_;
  const OutDegrees& degrees_;
  const LoadOptions& options_;
  TableOptions table_options_;
  std::string directory_;
  uint64_t chunk_ids_;
  uint64_t chunks_;
  std::vector<uint64_t> order_;
  std::atomic<uint64_t> next_ = 0;

  std::mutex mutex_;  // guards the rest
  std::condition_variable finished_;
  int running_ = 0;
  LoadProgress progress_;
  rocksdb::Status status_;
  std::vector<std::string> files_[4];  // links, index, counts, nodes
};

rocksdb::Status Loader::WriteChunk(uint64_t number) {
  const uint64_t begin = graph_.startid1 + number * chunk_ids_;
  const ChunkRange range = {number, begin,
                            std::min(begin + chunk_ids_, graph_.maxid1)};
  Chunk chunk(tables_, table_options_, graph_, degrees_, options_, range,
              directory_);
  const rocksdb::Status status = chunk.Write();
  if (!status.ok()) return status;
  const std::lock_guard lock(mutex_);
  chunk.AddTo(&progress_);
  const auto files = chunk.files();
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i]->rows() > 0) files_[i].push_back(files[i]->path());
  }
  return status;
}

void Loader::Work() {
  for (uint64_t i = next_++; i < chunks_; i = next_++) {
    const rocksdb::Status status = WriteChunk(order_[i]);
    if (status.ok()) continue;
    const std::lock_guard lock(mutex_);
    if (status_.ok()) status_ = status;
    next_ = chunks_;
  }
  const std::lock_guard lock(mutex_);
  --running_;
  finished_.notify_one();
}

void Loader::WaitAndReport(
    const std::function<void(const LoadProgress&)>& report) {
  std::unique_lock lock(mutex_);
  while (!finished_.wait_for(lock, std::chrono::seconds(1),
                             [this] { return running_ == 0; })) {
    // Reporting writes to a pipe, which nobody may hurry to read.
    const LoadProgress progress = progress_;
    lock.unlock();
    report(progress);
    lock.lock();
  }
}

rocksdb::Status Loader::Ingest() {
  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  rocksdb::ColumnFamilyHandle* const tables[] = {tables_.links, tables_.index,
                                                 tables_.counts, tables_.nodes};
  std::vector<rocksdb::IngestExternalFileArg> all;
  for (size_t i = 0; i < std::size(files_); ++i) {
    if (files_[i].empty()) continue;
    rocksdb::IngestExternalFileArg table;
    table.column_family = tables[i];
    table.external_files = files_[i];
    table.options = options;
    all.push_back(std::move(table));
  }
  return tables_.db->IngestExternalFiles(all);
}

Status Loader::Run(const std::function<void(const LoadProgress&)>& report,
                   LoadProgress* loaded) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) {
    return Status::Failed(
        fmt::format("{} cannot be created: {}", directory_, error.message()));
  }
  std::vector<std::thread> workers;
  running_ = options_.threads;
  for (int i = 0; i < options_.threads; ++i) {
    workers.emplace_back(&Loader::Work, this);
  }
  WaitAndReport(report);
  for (std::thread& worker : workers) worker.join();
  if (status_.ok()) status_ = Ingest();
  std::filesystem::remove_all(directory_, error);
  if (!status_.ok()) {
    return Explained(status_, "load the data set", tables_.db->GetName());
  }
  *loaded = progress_;
  const DataSet data_set = {
      options_.seed,   options_.now_ms,  degrees_.data_hash(), progress_.nodes,
      progress_.links, progress_.counts, progress_.index};
  return WriteMeta(tables_, graph_, data_set);
}

}  // namespace

Status Load(const KvTables& tables, const GraphOptions& graph,
            const OutDegrees& degrees, const LoadOptions& options,
            const std::function<void(const LoadProgress&)>& report,
            LoadProgress* loaded) {
  return Loader(tables, graph, degrees, options).Run(report, loaded);
}

}  // namespace waltax::linkbench
