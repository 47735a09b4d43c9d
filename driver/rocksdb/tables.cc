#include "driver/rocksdb/tables.h"

#include <rocksdb/iterator.h>

#include <memory>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/status.h"

namespace waltax {
namespace {

class FileSink : public table::RowSink {
 public:
  explicit FileSink(LoadChunk* chunk) : chunk_(*chunk) {}
  void Put(size_t table, std::string_view key,
           std::string_view value) override {
    if (status_.ok()) status_ = chunk_.Put(table, key, value);
  }
  [[nodiscard]] bool ok() const override { return status_.ok(); }
  [[nodiscard]] const rocksdb::Status& status() const { return status_; }

 private:
  LoadChunk& chunk_;
  rocksdb::Status status_;
};

}  // namespace

std::vector<std::string> ColumnFamilies(
    const std::vector<table::Table>& tables) {
  std::vector<std::string> names = {"default"};
  for (const table::Table& table : tables) names.emplace_back(table.name);
  return names;
}

Status LoadTables(RocksdbEngine& engine, const table::Load& load,
                  LoadedRows* loaded) {
  BulkLoad files;
  files.db = engine.db();
  for (size_t i = 1; i <= load.tables->size(); ++i) {
    files.tables.push_back(engine.column_family(i));
  }
  files.threads = load.threads;
  files.chunks = load.chunks;
  files.write = [&load](uint64_t number, LoadChunk* chunk) {
    FileSink sink(chunk);
    load.write(number, &sink);
    return sink.status();
  };
  files.report = load.report;
  return RunBulkLoad(files, loaded);
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
