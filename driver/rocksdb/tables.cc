#include "driver/rocksdb/tables.h"

#include <rocksdb/iterator.h>

#include <memory>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/status.h"

namespace waltax {

std::vector<std::string> ColumnFamilies(
    const std::vector<table::Table>& tables) {
  std::vector<std::string> names = {"default"};
  for (const table::Table& table : tables) names.emplace_back(table.name);
  return names;
}

Status LoadTables(RocksdbEngine& engine, const table::Load& load,
                  LoadedRows* loaded) {
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  for (size_t i = 1; i <= load.tables->size(); ++i) {
    families.push_back(engine.column_family(i));
  }
  return RunBulkLoad(engine.db(), families, load, loaded);
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
