// One sorted table file that grows row by row and is later ingested whole.
#pragma once

#include <rocksdb/sst_file_writer.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace waltax {

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

}  // namespace waltax
