#include "driver/rocksdb/bulk_load.h"

#include <fmt/format.h>

#include <filesystem>
#include <mutex>

#include "driver/rocksdb/status.h"
#include "driver/steps.h"

namespace waltax {
namespace {

std::string FileName(const std::string& directory,
                     const rocksdb::ColumnFamilyHandle& table,
                     uint64_t number) {
  return fmt::format("{}/{}-{:06}.sst", directory, table.GetName(), number);
}

// Collects the files of the chunks.
class Loader {
 public:
  explicit Loader(const BulkLoad& load)
      : load_(load),
        directory_(load.db->GetName() + "/load"),
        files_(load.tables.size()) {
    for (rocksdb::ColumnFamilyHandle* table : load.tables) {
      tables_.emplace_back(load.db, table);
    }
    loaded_.rows.resize(tables_.size());
  }

  Status Run(LoadedRows* loaded) {
    std::error_code error;
    std::filesystem::create_directories(directory_, error);
    if (error) {
      return Status::Failed(
          fmt::format("{} cannot be created: {}", directory_, error.message()));
    }
    Status status = RunSteps({load_.threads, load_.chunks.size(),
                              [this](Step* step) {
                                *step = [this](uint64_t i) {
                                  return Explain(WriteChunk(load_.chunks[i]));
                                };
                                return Status::Ok();
                              },
                              [this] { Report(); }});
    if (status.ok()) status = Explain(Ingest());
    std::filesystem::remove_all(directory_, error);
    if (status.ok()) *loaded = loaded_;
    return status;
  }

 private:
  rocksdb::Status WriteChunk(uint64_t number) {
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
  void Report() {
    std::unique_lock lock(mutex_);
    const LoadedRows loaded = loaded_;
    lock.unlock();
    load_.report(loaded);
  }
  rocksdb::Status Ingest() {
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
  Status Explain(const rocksdb::Status& status) const {
    if (status.ok()) return Status::Ok();
    return Explained(status, "load the data set", load_.db->GetName());
  }

  const BulkLoad& load_;
  std::string directory_;
  std::vector<LoadTable> tables_;
  std::mutex mutex_;  // guards the rest
  LoadedRows loaded_;
  std::vector<std::vector<std::string>> files_;  // by table
};

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
