// An embedded RocksDB with transactions as a driver program opens it.
#pragma once

#include <rocksdb/options.h>
#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction_db.h>

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <thread>
#include <vector>

#include "driver/engine.h"
#include "driver/flags.h"
#include "driver/status.h"

namespace waltax {

// When a transaction finds that another one is in its way.
enum class Locking {
  kPessimistic,  // at each key, which it locks
  kOptimistic,   // at its commit
};

class RocksdbEngine : public Engine {
 public:
  // Opens the database in flags.db_dir with `column_families`, the first of
  // which is "default". Creates the database and missing families only with
  // `create_if_missing`. Fails, with the path and what to do, when the WAL
  // directory is missing or not writable, when there is no database or one with
  // other families, when the flags contradict each other, and when the RocksDB
  // loaded is not the one that was compiled against.
  static Status Open(const EngineFlags& flags,
                     const std::vector<std::string>& column_families,
                     bool create_if_missing,
                     std::unique_ptr<RocksdbEngine>* engine,
                     Locking locking = Locking::kPessimistic);
  ~RocksdbEngine() override;
  RocksdbEngine(const RocksdbEngine&) = delete;
  RocksdbEngine& operator=(const RocksdbEngine&) = delete;

  // Null when it was opened for optimistic transactions.
  [[nodiscard]] rocksdb::TransactionDB* db() { return pessimistic_; }
  // Null when it was not.
  [[nodiscard]] rocksdb::OptimisticTransactionDB* optimistic() {
    return optimistic_;
  }
  // The database, whatever its transactions are.
  [[nodiscard]] rocksdb::DB* base() { return db_.get(); }
  // Handles of the column families of Open(), in their order.
  [[nodiscard]] const std::vector<rocksdb::ColumnFamilyHandle*>&
  column_families() const {
    return handles_;
  }
  [[nodiscard]] rocksdb::ColumnFamilyHandle* column_family(size_t i) const {
    return handles_[i];
  }
  // What every write must use: it carries the durability.
  [[nodiscard]] const rocksdb::WriteOptions& write_options() const {
    return write_options_;
  }

  // {"name", "rocksdb_version", "options": the OPTIONS file that RocksDB wrote
  // of those in effect}.
  [[nodiscard]] nlohmann::json Describe() const override;
  [[nodiscard]] std::vector<std::string> Warnings() const override;
  // What RocksDB counts of its log and its writes at no cost, and where it has
  // Statistics a fixed list of tickers, by the tickers' names, zero or not. A
  // name that this RocksDB does not have is left out. Without Statistics, bytes
  // that were flushed and compacted are some KiB too few.
  [[nodiscard]] Counters Snapshot() const override;
  [[nodiscard]] uint64_t DataBytes() const override;
  // RocksDB counts in each thread unless it is told not to.
  void OnThreadStart() override;

  [[nodiscard]] DataPlace Place() const override {
    return {"--db", flags_.db_dir, "remove it and load again"};
  }
  // Under the key "meta" of column family 0, which must be "default"; past the
  // WAL, and flushed.
  Status WriteRecord(const std::string& program,
                     const std::string& text) override;
  Status ReadRecord(const std::string& program, std::string* text) override;
  // Closes the database as RocksDB does by default: memtables that no WAL
  // covers are flushed to tables, the WAL itself is not synced once more.
  Status Close() override;
  RocksdbEngine* rocksdb() override { return this; }

 private:
  RocksdbEngine() = default;
  // Writes and syncs the WAL again and again, while commits go on.
  void KeepSyncing(const std::stop_token& stop);
  rocksdb::Status OpenAs(
      Locking locking,
      const std::vector<rocksdb::ColumnFamilyDescriptor>& column_families);

  EngineFlags flags_;
  rocksdb::DBOptions requested_;
  rocksdb::WriteOptions write_options_;
  std::unique_ptr<rocksdb::DB> db_;
  // One of them is `db_`.
  rocksdb::TransactionDB* pessimistic_ = nullptr;
  rocksdb::OptimisticTransactionDB* optimistic_ = nullptr;
  std::vector<rocksdb::ColumnFamilyHandle*> handles_;  // owned, destroyed first
  std::jthread syncing_;
};

}  // namespace waltax
