// The column families of a TPC-C database, and how the five transactions reach
// their rows: typed, by table and key.
#pragma once

#include <rocksdb/options.h>
#include <rocksdb/slice.h>
#include <rocksdb/snapshot.h>
#include <rocksdb/utilities/transaction_db.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/transaction_loop.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

// Borrowed from an engine that was opened with ColumnFamilies(Tables()).
struct KvTables {
  explicit KvTables(RocksdbEngine& engine) : db(engine.db()) {
    for (size_t i = 0; i < kTables; ++i) {
      handles[i] = engine.column_family(i + 1);
    }
  }
  [[nodiscard]] rocksdb::ColumnFamilyHandle* operator[](Table table) const {
    return handles[static_cast<size_t>(table)];
  }

  rocksdb::TransactionDB* db;
  std::array<rocksdb::ColumnFamilyHandle*, kTables> handles;
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
  void Run(rocksdb::TransactionDB* db, const rocksdb::ReadOptions& options,
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

// What is broken about a table whose rows TPC-C never deletes.
rocksdb::Status MissingRow(Table table);
rocksdb::Status GarbledRow(Table table);

// Used by one thread. Its buffers live as long as it does, so that a
// transaction allocates next to nothing.
class KvRows {
 public:
  KvRows(const KvTables& tables, const rocksdb::WriteOptions& write_options,
         int max_retries, uint64_t seed)
      : tables_(tables), loop_(tables.db, write_options, max_retries, seed) {}

  [[nodiscard]] const KvTables& tables() const { return tables_; }
  TransactionLoop& loop() { return loop_; }

  // Waits for the row's lock and holds it until the attempt ends. REQUIRES:
  // called in the order that kv/store.h gives.
  rocksdb::Status Lock(Table table, const rocksdb::Slice& key);

  // Reads a row as of `snapshot`, or as it was last committed if that is null:
  // for rows whose lock is held, or is covered by another that is. A missing
  // row is a corruption.
  rocksdb::Status GetBytes(Table table, const rocksdb::Slice& key,
                           const rocksdb::Snapshot* snapshot,
                           rocksdb::PinnableSlice* bytes);
  template <typename Row>
  rocksdb::Status Get(Table table, const rocksdb::Slice& key,
                      const rocksdb::Snapshot* snapshot, Stored<Row>* stored) {
    const rocksdb::Status status =
        GetBytes(table, key, snapshot, &stored->bytes);
    if (!status.ok()) return status;
    return Decode(table, stored->bytes, &stored->row);
  }
  template <typename Row>
  rocksdb::Status LockAndGet(Table table, const rocksdb::Slice& key,
                             Stored<Row>* stored) {
    const rocksdb::Status status = Lock(table, key);
    return status.ok() ? Get(table, key, nullptr, stored) : status;
  }
  template <typename Row>
  static rocksdb::Status Decode(Table table, const rocksdb::Slice& bytes,
                                Row* row) {
    return DecodeRow(bytes.ToStringView(), row) ? rocksdb::Status::OK()
                                                : GarbledRow(table);
  }

  // Writes a row into the attempt's batch. REQUIRES: its lock is held, or
  // nobody else can write it because of a lock on another row.
  template <typename Row>
  rocksdb::Status Put(Table table, const rocksdb::Slice& key, const Row& row) {
    EncodeRow(row, &encoded_);
    return PutBytes(table, key, encoded_);
  }
  rocksdb::Status PutBytes(Table table, const rocksdb::Slice& key,
                           const rocksdb::Slice& value) {
    return loop_.batch().Put(tables_[table], key, value);
  }
  rocksdb::Status SingleDelete(Table table, const rocksdb::Slice& key) {
    return loop_.batch().SingleDelete(tables_[table], key);
  }

  // Of a whole table; it shows what was committed before its creation or its
  // last Refresh(), or before `snapshot` if there is one.
  [[nodiscard]] std::unique_ptr<rocksdb::Iterator> NewIterator(
      Table table, const rocksdb::Snapshot* snapshot = nullptr) const;

 private:
  KvTables tables_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  std::string encoded_;
};

}  // namespace waltax::tpcc
