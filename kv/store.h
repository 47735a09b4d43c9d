// The families on RocksDB, and what a worker writes into them.
#pragma once

#include <rocksdb/utilities/transaction_db.h>
#include <rocksdb/write_batch.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/transaction_loop.h"
#include "driver/status.h"
#include "kv/options.h"

namespace waltax::kv {

// Thread-safe. The engine, opened with TableNames(), must outlive it.
class Store {
 public:
  Store(RocksdbEngine& engine, const DataOptions& data)
      : engine_(engine), families_(data.column_families) {}

  // As who coordinates them does with transactions that a killed process had
  // prepared, and nobody was told of: they keep their names and locks.
  Status RollBackPrepared();
  // One write of all that a batch holds; not in an optimistic engine.
  rocksdb::Status Write(rocksdb::WriteBatch* batch);
  // One worker's transactions, of the kind that the engine was opened for.
  [[nodiscard]] std::unique_ptr<TransactionLoop> NewTransactions(uint64_t seed);
  // Whether a transaction can be prepared: that is a record of the log.
  [[nodiscard]] bool logs() const {
    return !engine_.write_options().disableWAL;
  }
  // The family of a key, among the loaded ones or those that are filled.
  [[nodiscard]] rocksdb::ColumnFamilyHandle* family(bool loaded,
                                                    uint64_t key) const {
    return engine_.column_family(1 + (loaded ? 0 : families_) +
                                 key % families_);
  }
  // Calls `row` with each key and value of the family of `key`.
  Status Scan(
      bool loaded, uint64_t key,
      const std::function<void(std::string_view, std::string_view)>& row) const;
  [[nodiscard]] uint64_t families() const { return families_; }

 private:
  RocksdbEngine& engine_;
  uint64_t families_;
};

}  // namespace waltax::kv
