#include "workloads/mix/kv/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "driver/rocksdb/status.h"
#include "driver/rocksdb/tables.h"

namespace waltax::mix {

std::vector<std::string> FamilyNames(const Mix& mix) {
  std::vector<std::string> names = {"default"};
  for (const Table& table : mix.tables) {
    names.push_back(table.name);
    for (const Index& index : table.indexes) {
      names.push_back(table.name + "." + index.name);
    }
  }
  return names;
}

KvStore::KvStore(RocksdbEngine& engine, const Values& values)
    : engine_(engine), values_(values), codec_(values) {
  size_t next = 1;
  for (const Table& table : values.mix().tables) {
    first_families_.push_back(next);
    next += 1 + table.indexes.size();
  }
}

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

namespace {

constexpr uint64_t kRowsOfChunk = 65'536;

// Rows of a table, or entries of an index, that become one file.
struct Chunk {
  size_t table;
  size_t index;
  size_t order;
  uint64_t first;
};

// What the chunks of a load are cut from.
class KvLoad {
 public:
  KvLoad(const Values& values, const Codec& codec)
      : values_(values), codec_(codec) {
    const std::vector<Table>& tables = values.mix().tables;
    for (size_t table = 0; table < tables.size(); ++table) {
      Add(table, kNone);
      for (size_t i = 0; i < tables[table].indexes.size(); ++i) Add(table, i);
    }
  }

  [[nodiscard]] size_t chunks() const { return chunks_.size(); }
  void Write(uint64_t number, table::RowSink* files) const {
    const Chunk& chunk = chunks_[number];
    const LoadOrder& order = orders_[chunk.order];
    const uint64_t end = std::min(order.size(), chunk.first + kRowsOfChunk);
    Row row;
    std::string key;
    std::string value;
    for (uint64_t i = chunk.first; i < end && files->ok(); ++i) {
      const uint64_t number_of_row = order.Number(i);
      values_.Make(chunk.table, number_of_row, kLoaded, &row);
      if (chunk.index == kNone) {
        codec_.EncodeKey(chunk.table, number_of_row, &key);
        codec_.EncodeValue(chunk.table, row, &value);
      } else {
        codec_.EncodeEntry(chunk.table, chunk.index, number_of_row, row, &key);
      }
      files->Put(chunk.order, key, value);
    }
  }

 private:
  void Add(size_t table, size_t index) {
    orders_.emplace_back(values_, codec_, table, index);
    for (uint64_t first = 0; first < orders_.back().size();
         first += kRowsOfChunk) {
      chunks_.push_back({table, index, orders_.size() - 1, first});
    }
  }

  const Values& values_;
  const Codec& codec_;
  std::vector<LoadOrder> orders_;  // as the families are
  std::vector<Chunk> chunks_;
};

}  // namespace

Status KvStore::Load(int threads, const RowReport& report, uint64_t* rows,
                     uint64_t* bytes) {
  // Without the entries of indexes.
  const auto rows_of = [this](const LoadedRows& files) {
    uint64_t sum = 0;
    for (const size_t family : first_families_) sum += files.rows[family - 1];
    return sum;
  };
  const KvLoad steps(values_, codec_);
  if (steps.chunks() == 0) return Status::Ok();
  std::vector<rocksdb::ColumnFamilyHandle*> families;
  for (size_t i = 1; i < FamilyNames(values_.mix()).size(); ++i) {
    families.push_back(engine_.column_family(i));
  }
  table::Load load;
  load.threads = threads;
  load.chunks.resize(steps.chunks());
  std::iota(load.chunks.begin(), load.chunks.end(), 0);
  load.write = [&steps](uint64_t number, table::RowSink* files) {
    steps.Write(number, files);
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
