// Fills an empty database on all cores: chunks of rows become sorted table
// files beside each other, which are ingested together at the end.
#pragma once

#include <rocksdb/db.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/sst_writer.h"
#include "driver/status.h"

namespace waltax {

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

// What was loaded so far.
struct LoadedRows {
  uint64_t chunks = 0;
  std::vector<uint64_t> rows;  // by table
  uint64_t bytes = 0;          // of the finished files
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
