// Fills an empty database on all cores: chunks of rows become sorted table
// files beside each other, which are ingested together at the end.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/sst_file_writer.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/status.h"
#include "driver/table/load.h"

namespace waltax {

// One sorted table file that grows row by row and is later ingested whole.
// Not thread-safe. The file is created with the first row, because RocksDB
// refuses files without any.
class SstWriter {
 public:
  // `options` are those of the table's column family: they carry compression,
  // block size and filters.
  SstWriter(const rocksdb::Options& options, rocksdb::ColumnFamilyHandle* table,
            std::string path)
      : options_(options), table_(table), path_(std::move(path)) {}

  // REQUIRES: keys ascend.
  rocksdb::Status Put(const rocksdb::Slice& key, const rocksdb::Slice& value) {
    if (!writer_) {
      // The pages written stay in the kernel's cache: a run follows soon.
      writer_ = std::make_unique<rocksdb::SstFileWriter>(
          rocksdb::EnvOptions(), options_, table_,
          /*invalidate_page_cache=*/false);
      const rocksdb::Status opened = writer_->Open(path_);
      if (!opened.ok()) return opened;
    }
    ++rows_;
    return writer_->Put(key, value);
  }

  rocksdb::Status Finish() {
    if (!writer_) return rocksdb::Status::OK();
    rocksdb::ExternalSstFileInfo info;
    const rocksdb::Status finished = writer_->Finish(&info);
    bytes_ = info.file_size;
    return finished;
  }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] uint64_t rows() const { return rows_; }
  [[nodiscard]] uint64_t bytes() const { return bytes_; }

 private:
  const rocksdb::Options& options_;
  rocksdb::ColumnFamilyHandle* table_;
  std::string path_;
  std::unique_ptr<rocksdb::SstFileWriter> writer_;
  uint64_t rows_ = 0;
  uint64_t bytes_ = 0;
};

// One table's options, as the database has them: they are costly to copy, so
// all chunks share them.
struct LoadTable {
  LoadTable(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* handle)
      : handle(handle), options(db->GetOptions(handle)) {}
  rocksdb::ColumnFamilyHandle* handle;
  rocksdb::Options options;
};

// The files of one chunk, one for each table, in the order of the tables.
class LoadChunk {
 public:
  LoadChunk(const std::vector<LoadTable>& tables, const std::string& directory,
            uint64_t number);
  // REQUIRES: the keys of a table ascend within the chunk and do not overlap
  // those of other chunks.
  rocksdb::Status Put(size_t table, const rocksdb::Slice& key,
                      const rocksdb::Slice& value) {
    return files_[table]->Put(key, value);
  }
  [[nodiscard]] const SstWriter& file(size_t table) const {
    return *files_[table];
  }
  rocksdb::Status Finish();

 private:
  std::vector<std::unique_ptr<SstWriter>> files_;
};

struct BulkLoad {
  rocksdb::DB* db = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> tables;
  int threads = 1;
  // The numbers of the chunks in the order in which they are begun: what takes
  // longest should not come last.
  std::vector<uint64_t> chunks;
  // Writes the rows of a chunk. Called on any thread; its rows must depend on
  // the number alone, so that the data is the same whatever `threads` is.
  std::function<rocksdb::Status(uint64_t number, LoadChunk* chunk)> write;
  // Called about every second on the calling thread.
  std::function<void(const LoadedRows&)> report;
};

// Returns with all rows ingested. On failure no row is; the database must be
// removed.
Status RunBulkLoad(const BulkLoad& load, LoadedRows* loaded);

}  // namespace waltax
