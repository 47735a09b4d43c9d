// The rows of a workload's tables in RocksDB and the transactions that work on
// them: typed, by their keys. A row says what table it is of, as `kTable`.
#pragma once

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/snapshot.h>
#include <rocksdb/utilities/transaction_db.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/transaction_loop.h"
#include "driver/status.h"
#include "driver/table/table.h"

namespace waltax {

// Borrowed from an engine that was opened with ColumnFamilies() of `tables()`,
// whose places are the values of the enum `SomeId`.
template <typename SomeId, const std::vector<table::Table>& (*tables)()>
struct KvTables {
  using Id = SomeId;

  explicit KvTables(RocksdbEngine& engine) : db(engine.db()) {
    handles.assign(engine.column_families().begin() + 1,
                   engine.column_families().end());
  }
  [[nodiscard]] rocksdb::ColumnFamilyHandle* operator[](Id id) const {
    return handles[static_cast<size_t>(id)];
  }

  static rocksdb::Status Missing(Id id) {
    return Corrupt(id, "a row that must exist is missing");
  }
  static rocksdb::Status Garbled(Id id) {
    return Corrupt(id, "a value is not a row of this table");
  }

  rocksdb::TransactionDB* db;
  std::vector<rocksdb::ColumnFamilyHandle*> handles;

 private:
  static rocksdb::Status Corrupt(Id id, const char* what) {
    return rocksdb::Status::Corruption(tables()[static_cast<size_t>(id)].name,
                                       what);
  }
};

// Many rows of one table, read together. Used again and again, so that only the
// largest read allocates.
template <typename Key>
class MultiGet {
 public:
  // Forgets keys and values, and lets go of the blocks that hold these.
  void Clear() {
    for (size_t i = 0; i < size_; ++i) values_[i].Reset();
    size_ = 0;
  }
  void Add(const Key& key) {
    if (size_ == keys_.size()) Grow();
    keys_[size_++] = key;
  }
  // Reads each key's value, or why there is none. `sorted`: they ascend.
  void Run(rocksdb::DB* db, const rocksdb::ReadOptions& options,
           rocksdb::ColumnFamilyHandle* table, bool sorted) {
    for (size_t i = 0; i < size_; ++i) slices_[i] = keys_[i].slice();
    db->MultiGet(options, table, size_, slices_.data(), values_.data(),
                 statuses_.data(), sorted);
  }

  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] const rocksdb::Slice& key(size_t i) const { return slices_[i]; }
  [[nodiscard]] const rocksdb::Status& status(size_t i) const {
    return statuses_[i];
  }
  [[nodiscard]] const rocksdb::PinnableSlice& value(size_t i) const {
    return values_[i];
  }

 private:
  void Grow() {
    const size_t size = keys_.empty() ? 16 : 2 * keys_.size();
    keys_.resize(size);
    slices_.resize(size);
    values_.resize(size);
    statuses_.resize(size);
  }

  std::vector<Key> keys_;
  std::vector<rocksdb::Slice> slices_;
  std::vector<rocksdb::PinnableSlice> values_;
  std::vector<rocksdb::Status> statuses_;
  size_t size_ = 0;
};

// A row, and the bytes that its text points into.
template <typename Row>
struct Stored {
  rocksdb::PinnableSlice bytes;
  Row row;
};

// Used by one thread. Its buffers live as long as it does, so that a
// transaction allocates next to nothing.
template <typename Tables>
class KvRows {
 public:
  // NOLINTNEXTLINE(readability-redundant-typename): older compilers want it.
  using Id = typename Tables::Id;

  KvRows(const Tables& tables, const rocksdb::WriteOptions& write_options,
         int max_retries, uint64_t seed)
      : tables_(tables), loop_(tables.db, write_options, max_retries, seed) {}

  [[nodiscard]] const Tables& tables() const { return tables_; }
  TransactionLoop& loop() { return loop_; }

  // Waits for the row's lock and holds it until the attempt ends. REQUIRES:
  // called in the order that the store gives.
  rocksdb::Status Lock(Id id, const rocksdb::Slice& key) {
    // Without a place for the value it only locks: the batch holds nothing that
    // would have to be looked for before the table is read.
    std::string* const no_value = nullptr;
    return loop_.transaction().GetForUpdate(rocksdb::ReadOptions(), tables_[id],
                                            key, no_value);
  }

  // Reads a row as of `snapshot`, or as it was last committed if that is null:
  // for rows whose lock is held, or is covered by another that is. A missing
  // row is a corruption.
  template <typename Row>
  rocksdb::Status Get(const rocksdb::Slice& key,
                      const rocksdb::Snapshot* snapshot, Stored<Row>* stored) {
    const rocksdb::Status status = Find(key, snapshot, stored);
    return status.IsNotFound() ? Tables::Missing(Row::kTable) : status;
  }
  template <typename Row>
  rocksdb::Status LockAndGet(const rocksdb::Slice& key, Stored<Row>* stored) {
    TRY(Lock(Row::kTable, key));
    return Get(key, nullptr, stored);
  }
  // The same of many rows, which Take() then decodes one by one. `sorted`:
  // their keys ascend.
  template <typename Row, typename Key>
  void GetMany(const rocksdb::Snapshot* snapshot, bool sorted,
               MultiGet<Key>* rows) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    rows->Run(tables_.db, options, tables_[Row::kTable], sorted);
  }
  template <typename Key, typename Row>
  static rocksdb::Status Take(const MultiGet<Key>& rows, size_t i, Row* row) {
    if (rows.status(i).IsNotFound()) return Tables::Missing(Row::kTable);
    TRY(rows.status(i));
    return Decode(rows.value(i), row);
  }
  // The same of a row that may be missing, which is NotFound.
  template <typename Row>
  rocksdb::Status Find(const rocksdb::Slice& key,
                       const rocksdb::Snapshot* snapshot, Stored<Row>* stored) {
    stored->bytes.Reset();
    read_options_.snapshot = snapshot;
    TRY(tables_.db->Get(read_options_, tables_[Row::kTable], key,
                        &stored->bytes));
    return Decode(stored->bytes, &stored->row);
  }
  template <typename Row>
  static rocksdb::Status Decode(const rocksdb::Slice& bytes, Row* row) {
    return table::DecodeRow(bytes.ToStringView(), row)
               ? rocksdb::Status::OK()
               : Tables::Garbled(Row::kTable);
  }

  // Writes a row into the attempt's batch. REQUIRES: its lock is held, or
  // nobody else can write it because of a lock on another row.
  template <typename Row>
  rocksdb::Status Put(const rocksdb::Slice& key, const Row& row) {
    table::EncodeRow(row, &encoded_);
    return loop_.batch().Put(tables_[Row::kTable], key, encoded_);
  }
  rocksdb::Status SingleDelete(Id id, const rocksdb::Slice& key) {
    return loop_.batch().SingleDelete(tables_[id], key);
  }

  // Of a whole table; it shows what was committed before its creation or its
  // last Refresh(), or before `snapshot` if there is one.
  [[nodiscard]] std::unique_ptr<rocksdb::Iterator> NewIterator(
      Id id, const rocksdb::Snapshot* snapshot = nullptr) const {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    // Nothing here deletes ranges; not looking for them makes it cheap to make
    // and to refresh.
    options.ignore_range_deletions = true;
    return std::unique_ptr<rocksdb::Iterator>(
        tables_.db->NewIterator(options, tables_[id]));
  }

 private:
  Tables tables_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  std::string encoded_;
};

}  // namespace waltax
