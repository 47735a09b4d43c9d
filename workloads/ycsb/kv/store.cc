// The store on RocksDB with pessimistic transactions (layout: row_codec.h).

#include "workloads/ycsb/store.h"

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/utilities/transaction_db.h>

#include <numeric>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/status.h"
#include "driver/rocksdb/tables.h"
#include "driver/rocksdb/transaction_loop.h"
#include "workloads/ycsb/kv/row_codec.h"

namespace waltax::ycsb {

namespace {

rocksdb::Status Garbled() {
  return rocksdb::Status::Corruption("usertable", "a value is no record");
}

// Where the records are.
struct KvTable {
  rocksdb::TransactionDB* db;
  rocksdb::ColumnFamilyHandle* family;
  rocksdb::WriteOptions write_options;
  RowCodec codec;
  int max_retries;
};

// One worker's access to the store. Buffers, the transaction loop and the
// iterator live as long as the session, so that an operation allocates next to
// nothing.
class KvSession : public Session {
 public:
  KvSession(const KvTable& table, uint64_t seed)
      : table_(table),
        loop_(table.db, table.write_options, table.max_retries, seed) {
    rocksdb::ReadOptions options;
    // Nothing here deletes ranges; not looking for them makes Refresh() cheap.
    options.ignore_range_deletions = true;
    rows_.reset(table_.db->NewIterator(options, table_.family));
  }

  Reply Execute(const Request& request, Row* row) override {
    Reply reply;
    const rocksdb::Status status = Try(request, row, &reply);
    if (status.ok()) return reply;
    return GivenUp(request, status.ToString(), IsFatal(status), reply);
  }

 private:
  rocksdb::Status Try(const Request& request, Row* row, Reply* reply) {
    if (request.op == Op::kRead) return Read(request, row, reply);
    if (request.op == Op::kScan) return Scan(request, reply);
    reply->changed = true;
    if (!request.can_miss()) return Put(request);
    const rocksdb::Status status = loop_.Run(
        [&] { return TryChange(request, &reply->found); }, &reply->conflicts);
    // As it was read: the transaction's copy stays until the next operation.
    if (status.ok() && reply->found && request.op == Op::kReadModifyWrite) {
      table_.codec.Decode(old_row_, request.field, row);
    }
    return status;
  }
  rocksdb::Status Read(const Request& request, Row* row, Reply* reply) {
    pinned_.Reset();
    const rocksdb::Status status =
        table_.db->Get(read_options_, table_.family, request.key, &pinned_);
    if (!status.ok()) {
      return status.IsNotFound() ? rocksdb::Status::OK() : status;
    }
    reply->found =
        table_.codec.Decode(pinned_.ToStringView(), request.field, row);
    return reply->found ? status : Garbled();
  }
  rocksdb::Status Scan(const Request& request, Reply* reply) {
    const rocksdb::Status status = rows_->Refresh();
    if (!status.ok()) return status;
    for (rows_->Seek(request.key);
         rows_->Valid() && reply->rows < request.scan_length; rows_->Next()) {
      if (!table_.codec.Decode(rows_->value().ToStringView(), request.field,
                               &scanned_)) {
        return Garbled();
      }
      ++reply->rows;
    }
    reply->found = reply->rows > 0;
    return rows_->status();
  }
  // Locks the record, changes its fields, and adds to its counter.
  rocksdb::Status TryChange(const Request& request, bool* found) {
    const rocksdb::Status status = loop_.transaction().GetForUpdate(
        read_options_, table_.family, request.key, &old_row_);
    *found = status.ok();
    if (status.IsNotFound()) return rocksdb::Status::OK();
    if (!status.ok()) return status;
    if (!table_.codec.Decode(old_row_, std::nullopt, &changed_)) {
      return Garbled();
    }
    const Values& values = request.values;
    const size_t first = values.field.value_or(0);
    for (size_t i = 0; i < values.fields.size(); ++i) {
      changed_.fields[first + i] = values.fields[i];
    }
    changed_.counter += request.op == Op::kReadModifyWrite ? 1 : 0;
    table_.codec.Encode(changed_, &new_row_);
    // The lock on the record covers it.
    return loop_.batch().Put(table_.family, request.key, new_row_);
  }
  // Writes a whole record that nobody else writes in the meantime.
  rocksdb::Status Put(const Request& request) {
    changed_.counter = 0;
    changed_.fields = request.values.fields;
    table_.codec.Encode(changed_, &new_row_);
    batch_.Clear();
    const rocksdb::Status status =
        batch_.Put(table_.family, request.key, new_row_);
    if (!status.ok()) return status;
    return WriteUnlocked(table_.db, table_.write_options, &batch_);
  }

  const KvTable& table_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  rocksdb::WriteBatch batch_;
  std::unique_ptr<rocksdb::Iterator> rows_;
  rocksdb::PinnableSlice pinned_;
  std::string old_row_;
  std::string new_row_;
  Row changed_;
  Row scanned_;
};

class KvStore : public Store {
 public:
  KvStore(RocksdbEngine& engine, const DataOptions& data, int max_retries)
      : data_(data),
        table_{engine.db(), engine.column_family(1), engine.write_options(),
               RowCodec(data.FieldNames()), max_retries} {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    return std::make_unique<KvSession>(table_, seed);
  }
  Status ReadRows(const KeyRange& range, bool /*fields*/,
                  const VisitRow& visit) override {
    Row row;
    return ScanKeys(table_.db, table_.family, range.first, range.end,
                    [&](std::string_view key, std::string_view value) {
                      const bool whole =
                          table_.codec.Decode(value, std::nullopt, &row);
                      visit(key, whole ? &row : nullptr);
                    });
  }

  Status Load(const ycsb::Load& load, RecordsLoaded* loaded) override {
    const Population population(data_, load.seed);
    BulkLoad bulk;
    bulk.db = table_.db;
    bulk.tables = {table_.family};
    bulk.threads = load.threads;
    bulk.chunks.resize(population.chunks());
    std::iota(bulk.chunks.begin(), bulk.chunks.end(), 0);
    bulk.write = [&](uint64_t number, LoadChunk* files) {
      rocksdb::Status status;
      Row row;
      std::string bytes;
      population.WriteChunk(number,
                            [&](std::string_view key, const Values& all) {
                              row.fields = all.fields;
                              table_.codec.Encode(row, &bytes);
                              status = files->Put(0, key, bytes);
                              return status.ok();
                            });
      return status;
    };
    const auto tell = [&](const LoadedRows& so_far) {
      loaded->records = so_far.rows[0];
      loaded->bytes = so_far.bytes;
    };
    bulk.report = [&](const LoadedRows& so_far) {
      tell(so_far);
      load.report();
    };
    LoadedRows rows;
    const Status status = RunBulkLoad(bulk, &rows);
    if (status.ok()) tell(rows);
    return status;
  }

 private:
  DataOptions data_;
  KvTable table_;
};

}  // namespace

std::unique_ptr<Store> NewKvStore(RocksdbEngine& engine,
                                  const DataOptions& data, int max_retries) {
  return std::make_unique<KvStore>(engine, data, max_retries);
}

}  // namespace waltax::ycsb
