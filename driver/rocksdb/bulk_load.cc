#include "driver/rocksdb/bulk_load.h"

#include <fmt/format.h>
#include <rocksdb/sst_file_writer.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "driver/rocksdb/status.h"
#include "driver/steps.h"

namespace waltax {
namespace {

// One table's options, as the database has them: compression, block size and
// filters. They are costly to copy, so all chunks share them.
struct Family {
  rocksdb::ColumnFamilyHandle* handle;
  rocksdb::Options options;
};

// One sorted table file that grows row by row and is later ingested whole. It
// is created with the first row, because RocksDB refuses files without any.
struct SstFile {
  std::string path;
  std::unique_ptr<rocksdb::SstFileWriter> writer;
  uint64_t rows = 0;
  uint64_t bytes = 0;
};

// The files of one chunk, one for each table.
class ChunkFiles : public table::RowSink {
 public:
  ChunkFiles(const std::vector<Family>& families, const std::string& directory,
             uint64_t number)
      : families_(families) {
    for (const Family& family : families) {
      files_.push_back({fmt::format("{}/{}-{:06}.sst", directory,
                                    family.handle->GetName(), number),
                        nullptr});
    }
  }

  void Put(size_t table, std::string_view key,
           std::string_view value) override {
    if (!status_.ok()) return;
    SstFile& file = files_[table];
    if (file.writer == nullptr) {
      const Family& family = families_[table];
      // The pages written stay in the kernel's cache: a run follows soon.
      file.writer = std::make_unique<rocksdb::SstFileWriter>(
          rocksdb::EnvOptions(), family.options, family.handle,
          /*invalidate_page_cache=*/false);
      status_ = file.writer->Open(file.path);
    }
    ++file.rows;
    if (status_.ok()) status_ = file.writer->Put(key, value);
  }
  [[nodiscard]] bool ok() const override { return status_.ok(); }

  rocksdb::Status Finish() {
    for (SstFile& file : files_) {
      if (file.writer == nullptr || !status_.ok()) continue;
      rocksdb::ExternalSstFileInfo info;
      status_ = file.writer->Finish(&info);
      file.bytes = info.file_size;
    }
    return status_;
  }
  [[nodiscard]] const std::vector<SstFile>& files() const { return files_; }

 private:
  const std::vector<Family>& families_;
  std::vector<SstFile> files_;
  rocksdb::Status status_;
};

// Collects the files of the chunks.
class Loader {
 public:
  Loader(rocksdb::DB* db,
         const std::vector<rocksdb::ColumnFamilyHandle*>& families,
         const table::Load& load)
      : db_(*db),
        load_(load),
        directory_(db->GetName() + "/load"),
        files_(families.size()) {
    for (auto* handle : families) {
      families_.push_back({handle, db->GetOptions(handle)});
    }
    loaded_.rows.resize(families.size());
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
    ChunkFiles chunk(families_, directory_, number);
    load_.write(number, &chunk);
    rocksdb::Status status = chunk.Finish();
    if (!status.ok()) return status;
    const std::scoped_lock lock(mutex_);
    ++loaded_.chunks;
    for (size_t i = 0; i < families_.size(); ++i) {
      const SstFile& file = chunk.files()[i];
      loaded_.rows[i] += file.rows;
      loaded_.bytes += file.bytes;
      if (file.rows > 0) files_[i].push_back(file.path);
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
      table.column_family = families_[i].handle;
      table.external_files = files_[i];
      table.options = options;
      all.push_back(std::move(table));
    }
    return db_.IngestExternalFiles(all);
  }
  Status Explain(const rocksdb::Status& status) const {
    if (status.ok()) return Status::Ok();
    return Explained(status, "load the data set", db_.GetName());
  }

  rocksdb::DB& db_;
  const table::Load& load_;
  std::string directory_;
  std::vector<Family> families_;
  std::mutex mutex_;  // guards the rest
  LoadedRows loaded_;
  std::vector<std::vector<std::string>> files_;  // by table
};

}  // namespace

Status RunBulkLoad(rocksdb::DB* db,
                   const std::vector<rocksdb::ColumnFamilyHandle*>& families,
                   const table::Load& load, LoadedRows* loaded) {
  return Loader(db, families, load).Run(loaded);
}

}  // namespace waltax
