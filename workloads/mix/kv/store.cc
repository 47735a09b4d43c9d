#include "workloads/mix/kv/store.h"

#include <fmt/format.h>

#include <numeric>

#include "driver/rocksdb/status.h"
#include "driver/rocksdb/tables.h"

namespace waltax::mix {

Status KvStore::Recover() {
  if (engine_.db() == nullptr) return Status::Ok();
  std::vector<rocksdb::Transaction*> prepared;
  engine_.db()->GetAllPreparedTransactions(&prepared);
  Status status;
  for (rocksdb::Transaction* each : prepared) {
    const std::unique_ptr<rocksdb::Transaction> transaction(each);
    const rocksdb::Status done = transaction->Rollback();
    if (!done.ok()) {
      status = Explained(done, "roll back what was prepared",
                         engine_.base()->GetName());
    }
  }
  return status;
}

Status KvStore::Scan(size_t table, size_t index, const Visit& visit) {
  Row row;
  const auto decode = [&](std::string_view key, std::string_view value) {
    uint64_t number = 0;
    const bool whole =
        index == kNone ? codec_.DecodeKey(table, key, &number) &&
                             codec_.DecodeValue(table, number, value, &row)
                       : codec_.DecodeEntry(table, index, key, &number, &row) &&
                             value.empty();
    visit(number, whole ? &row : nullptr);
  };
  return ScanKeys(engine_.base(), family(table, index), "", "", decode);
}

Status KvStore::Load(int threads, const RowReport& report, uint64_t* rows,
                     uint64_t* bytes) {
  constexpr uint64_t kRowsOfChunk = 65'536;
  const std::vector<Table>& tables = values_.mix().tables;
  LoadParts parts(values_, codec_);
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  table::Load load;
  for (size_t table = 0; table < tables.size(); ++table) {
    parts.Add(table, kNone, kRowsOfChunk);
    families.push_back(family(table));
    for (size_t i = 0; i < tables[table].indexes.size(); ++i) {
      parts.Add(table, i, kRowsOfChunk);
      families.push_back(family(table, i));
    }
  }
  if (parts.size() == 0) return Status::Ok();
  load.threads = threads;
  load.chunks.resize(parts.size());
  std::iota(load.chunks.begin(), load.chunks.end(), 0);
  load.write = [&](uint64_t chunk, table::RowSink* files) {
    const LoadParts::Part& part = parts[chunk];
    std::string key;
    std::string value;
    parts.ForAll(part, [&](uint64_t number, const Row& row) {
      if (part.index == kNone) {
        codec_.EncodeKey(part.table, number, &key);
        codec_.EncodeValue(part.table, row, &value);
      } else {
        codec_.EncodeEntry(part.table, part.index, number, row, &key);
      }
      files->Put(part.order, key, value);
      return files->ok();
    });
  };
  // Without the entries of indexes.
  const auto rows_of = [&tables](const LoadedRows& files) {
    uint64_t sum = 0;
    for (const Table& each : tables) sum += files.rows[each.family - 1];
    return sum;
  };
  load.report = [&](const LoadedRows& files) { report(rows_of(files)); };
  LoadedRows files;
  const Status status = RunBulkLoad(engine_.db(), families, load, &files);
  if (!status.ok()) return status;
  *rows = rows_of(files);
  *bytes = files.bytes;
  return status;
}

}  // namespace waltax::mix
