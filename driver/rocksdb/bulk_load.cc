#include "driver/rocksdb/bulk_load.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <thread>

#include "driver/rocksdb/status.h"

namespace waltax {
namespace {

std::string FileName(const std::string& directory,
                     const rocksdb::ColumnFamilyHandle& table,
                     uint64_t number) {
  return fmt::format("{}/{}-{:06}.sst", directory, table.GetName(), number);
}

// Hands out chunks to threads and collects their files.
class Loader {
 public:
  explicit Loader(const BulkLoad& load);
  Status Run(LoadedRows* loaded);

 private:
  void Work();
  rocksdb::Status WriteChunk(uint64_t number);
  void WaitAndReport();
  rocksdb::Status Ingest();

  const BulkLoad& load_;
  std::string directory_;
  std::vector<LoadTable> tables_;
  std::atomic<size_t> next_ = 0;

  std::mutex mutex_;  // guards the rest
  std::condition_variable finished_;
  int running_ = 0;
  LoadedRows loaded_;
  rocksdb::Status status_;
  std::vector<std::vector<std::string>> files_;  // by table
};

Loader::Loader(const BulkLoad& load)
    : load_(load),
      directory_(load.db->GetName() + "/load"),
      files_(load.tables.size()) {
  for (rocksdb::ColumnFamilyHandle* table : load.tables) {
    tables_.emplace_back(load.db, table);
  }
  loaded_.rows.resize(tables_.size());
}

rocksdb::Status Loader::WriteChunk(uint64_t number) {
  LoadChunk chunk(tables_, directory_, number);
  rocksdb::Status status = load_.write(number, &chunk);
  if (status.ok()) status = chunk.Finish();
  if (!status.ok()) return status;
  const std::scoped_lock lock(mutex_);
  ++loaded_.chunks;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const SstWriter& file = chunk.file(i);
    loaded_.rows[i] += file.rows();
    loaded_.bytes += file.bytes();
    if (file.rows() > 0) files_[i].push_back(file.path());
  }
  return status;
}

void Loader::Work() {
  const size_t chunks = load_.chunks.size();
  for (size_t i = next_++; i < chunks; i = next_++) {
    const rocksdb::Status status = WriteChunk(load_.chunks[i]);
    if (status.ok()) continue;
    const std::scoped_lock lock(mutex_);
    if (status_.ok()) status_ = status;
    next_ = chunks;
  }
  const std::scoped_lock lock(mutex_);
  --running_;
  finished_.notify_one();
}

void Loader::WaitAndReport() {
  std::unique_lock lock(mutex_);
  while (!finished_.wait_for(lock, std::chrono::seconds(1),
                             [this] { return running_ == 0; })) {
    // Reporting writes to a pipe, which nobody may hurry to read.
    const LoadedRows loaded = loaded_;
    lock.unlock();
    load_.report(loaded);
    lock.lock();
  }
}

rocksdb::Status Loader::Ingest() {
  rocksdb::IngestExternalFileOptions options;
  options.move_files = true;
  std::vector<rocksdb::IngestExternalFileArg> all;
  for (size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].empty()) continue;
    rocksdb::IngestExternalFileArg table;
    table.column_family = load_.tables[i];
    table.external_files = files_[i];
    table.options = options;
    all.push_back(std::move(table));
  }
  return load_.db->IngestExternalFiles(all);
}

Status Loader::Run(LoadedRows* loaded) {
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  if (error) {
    return Status::Failed(
        fmt::format("{} cannot be created: {}", directory_, error.message()));
  }
  std::vector<std::thread> workers;
  running_ = load_.threads;
  for (int i = 0; i < load_.threads; ++i) {
    workers.emplace_back(&Loader::Work, this);
  }
  WaitAndReport();
  for (std::thread& worker : workers) worker.join();
  if (status_.ok()) status_ = Ingest();
  std::filesystem::remove_all(directory_, error);
  if (!status_.ok()) {
    return Explained(status_, "load the data set", load_.db->GetName());
  }
  *loaded = loaded_;
  return Status::Ok();
}

}  // namespace

LoadChunk::LoadChunk(const std::vector<LoadTable>& tables,
                     const std::string& directory, uint64_t number) {
  for (const LoadTable& table : tables) {
    files_.push_back(std::make_unique<SstWriter>(
        table.options, table.handle,
        FileName(directory, *table.handle, number)));
  }
}

rocksdb::Status LoadChunk::Finish() {
  for (const auto& file : files_) {
    const rocksdb::Status status = file->Finish();
    if (!status.ok()) return status;
  }
  return rocksdb::Status::OK();
}

Status RunBulkLoad(const BulkLoad& load, LoadedRows* loaded) {
  return Loader(load).Run(loaded);
}

}  // namespace waltax
