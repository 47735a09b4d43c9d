#include "driver/rocksdb/tables.h"

#include <fmt/format.h>
#include <rocksdb/iterator.h>
#include <rocksdb/sst_file_writer.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <ranges>
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

rocksdb::Status Ingest(rocksdb::DB* db, const std::vector<Family>& families,
                       const std::vector<std::vector<std::string>>& files) {
  std::vector<rocksdb::IngestExternalFileArg> all;
  for (size_t i = 0; i < files.size(); ++i) {
    if (files[i].empty()) continue;
    rocksdb::IngestExternalFileArg table;
    table.column_family = families[i].handle;
    table.external_files = files[i];
    table.options.move_files = true;
    all.push_back(std::move(table));
  }
  return db->IngestExternalFiles(all);
}

Status ExplainedLoad(const rocksdb::Status& status, const rocksdb::DB& db) {
  if (status.ok()) return Status::Ok();
  return Explained(status, "load the data set", db.GetName());
}

}  // namespace

std::vector<std::string> ColumnFamilies(
    const std::vector<table::Table>& tables) {
  std::vector<std::string> names = {"default"};
  for (const table::Table& table : tables) names.emplace_back(table.name);
  return names;
}

Status LoadTables(RocksdbEngine& engine, const table::Load& load,
                  LoadedRows* loaded) {
  rocksdb::DB* const db = engine.base();
  const std::string directory = db->GetName() + "/load";
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    return Status::Failed(
        fmt::format("{} cannot be created: {}", directory, error.message()));
  }
  std::vector<Family> families;
  for (auto* handle : engine.column_families() | std::views::drop(1)) {
    families.push_back({handle, db->GetOptions(handle)});
  }
  std::vector<std::vector<std::string>> files(families.size());  // by table
  *loaded = {};
  loaded->rows.resize(families.size());
  std::mutex mutex;  // guards both
  const auto write = [&](uint64_t i, int /*thread*/) {
    ChunkFiles chunk(families, directory, load.chunks[i]);
    load.write(load.chunks[i], &chunk);
    const rocksdb::Status status = chunk.Finish();
    if (!status.ok()) return ExplainedLoad(status, *db);
    const std::scoped_lock lock(mutex);
    ++loaded->chunks;
    for (size_t table = 0; table < families.size(); ++table) {
      const SstFile& file = chunk.files()[table];
      loaded->rows[table] += file.rows;
      loaded->bytes += file.bytes;
      if (file.rows > 0) files[table].push_back(file.path);
    }
    return Status::Ok();
  };
  const auto report = [&] {
    std::unique_lock lock(mutex);
    const LoadedRows so_far = *loaded;
    lock.unlock();
    load.report(so_far);
  };
  Status status = RunSteps(load.threads, load.chunks.size(), write, report);
  if (status.ok()) status = ExplainedLoad(Ingest(db, families, files), *db);
  std::filesystem::remove_all(directory, error);
  return status;
}

Status ScanTable(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                 const table::KeyRange& range, const table::Visit& visit) {
  return ScanKeys(db, family, range.first, table::KeyBehind(range.last), visit);
}

Status ScanKeys(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                std::string_view first, std::string_view end,
                const table::Visit& visit) {
  const rocksdb::Slice bound(end);
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  options.fill_cache = false;  // so that the next slice finds its cache warm
  if (!end.empty()) options.iterate_upper_bound = &bound;
  const std::unique_ptr<rocksdb::Iterator> rows(
      db->NewIterator(options, family));
  for (rows->Seek(first); rows->Valid(); rows->Next()) {
    visit(rows->key().ToStringView(), rows->value().ToStringView());
  }
  if (rows->status().ok()) return Status::Ok();
  return Explained(rows->status(), "read a table", db->GetName());
}

}  // namespace waltax
