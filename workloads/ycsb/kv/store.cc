#include "workloads/ycsb/kv/store.h"

#include <rocksdb/iterator.h>

#include <numeric>

#include "driver/rocksdb/bulk_load.h"
#include "driver/rocksdb/status.h"
#include "driver/rocksdb/transaction_loop.h"

namespace waltax::ycsb {

namespace {

rocksdb::Status Garbled() {
  return rocksdb::Status::Corruption("usertable", "a value is no record");
}

}  // namespace

Status LoadRocksdb(RocksdbEngine& engine, const Load& load,
                   RecordsLoaded* loaded) {
  const Population population(load.data, load.seed);
  const RowCodec codec(population.model().names());
  BulkLoad bulk;
  bulk.db = engine.db();
  bulk.tables = {engine.column_family(1)};
  bulk.threads = load.threads;
  bulk.chunks.resize(population.chunks());
  std::iota(bulk.chunks.begin(), bulk.chunks.end(), 0);
  bulk.write = [&](uint64_t number, LoadChunk* files) {
    rocksdb::Status status;
    Row row;
    std::string bytes;
    population.WriteChunk(number, [&](std::string_view key, const Values& all) {
      row.fields = all.fields;
      codec.Encode(row, &bytes);
      status = files->Put(0, key, bytes);
      return status.ok();
    });
    return status;
  };
  bulk.report = [&](const LoadedRows& so_far) {
    load.report({so_far.rows[0], so_far.bytes});
  };
  LoadedRows rows;
  const Status status = RunBulkLoad(bulk, &rows);
  if (status.ok()) *loaded = {rows.rows[0], rows.bytes};
  return status;
}

Status KvStore::ReadRows(const KeyRange& range, bool /*fields*/,
                         const VisitRow& visit) {
  const rocksdb::Slice end(range.end);
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  options.fill_cache = false;  // the next slice shall find it as it was
  if (!range.end.empty()) options.iterate_upper_bound = &end;
  const std::unique_ptr<rocksdb::Iterator> rows(
      db_->NewIterator(options, table_));
  Row row;
  for (rows->Seek(range.first); rows->Valid(); rows->Next()) {
    const bool whole =
        codec_.Decode(rows->value().ToStringView(), std::nullopt, &row);
    visit(rows->key().ToStringView(), whole ? &row : nullptr);
  }
  return rows->status().ok()
             ? Status::Ok()
             : Explained(rows->status(), "check the data set", db_->GetName());
}

// One worker's access to the store. Buffers, the transaction loop and the
// iterator live as long as the session, so that an operation allocates next to
// nothing.
class KvSession : public Session {
 public:
  KvSession(KvStore* store, uint64_t seed)
      : store_(*store),
        loop_(store->db_, store->write_options_, store->max_retries_, seed) {
    rocksdb::ReadOptions options;
    // Nothing here deletes ranges; not looking for them makes Refresh() cheap.
    options.ignore_range_deletions = true;
    rows_.reset(store_.db_->NewIterator(options, store_.table_));
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
      store_.codec_.Decode(old_row_, request.field, row);
    }
    return status;
  }
  rocksdb::Status Read(const Request& request, Row* row, Reply* reply) {
    pinned_.Reset();
    const rocksdb::Status status =
        store_.db_->Get(read_options_, store_.table_, request.key, &pinned_);
    if (!status.ok()) {
      return status.IsNotFound() ? rocksdb::Status::OK() : status;
    }
    reply->found =
        store_.codec_.Decode(pinned_.ToStringView(), request.field, row);
    return reply->found ? status : Garbled();
  }
  rocksdb::Status Scan(const Request& request, Reply* reply) {
    const rocksdb::Status status = rows_->Refresh();
    if (!status.ok()) return status;
    for (rows_->Seek(request.key);
         rows_->Valid() && reply->rows < request.scan_length; rows_->Next()) {
      if (!store_.codec_.Decode(rows_->value().ToStringView(), request.field,
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
        read_options_, store_.table_, request.key, &old_row_);
    *found = status.ok();
    if (status.IsNotFound()) return rocksdb::Status::OK();
    if (!status.ok()) return status;
    if (!store_.codec_.Decode(old_row_, std::nullopt, &changed_)) {
      return Garbled();
    }
    const Values& values = request.values;
    const size_t first = values.field.value_or(0);
    for (size_t i = 0; i < values.fields.size(); ++i) {
      changed_.fields[first + i] = values.fields[i];
    }
    changed_.counter += request.op == Op::kReadModifyWrite ? 1 : 0;
    store_.codec_.Encode(changed_, &new_row_);
    // The lock on the record covers it.
    return loop_.batch().Put(store_.table_, request.key, new_row_);
  }
  // Writes a whole record that nobody else writes in the meantime.
  rocksdb::Status Put(const Request& request) {
    changed_.counter = 0;
    changed_.fields = request.values.fields;
    store_.codec_.Encode(changed_, &new_row_);
    batch_.Clear();
    const rocksdb::Status status =
        batch_.Put(store_.table_, request.key, new_row_);
    if (!status.ok()) return status;
    return WriteUnlocked(store_.db_, store_.write_options_, &batch_);
  }

  KvStore& store_;
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

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(this, seed);
}

}  // namespace waltax::ycsb
