// A transaction that is attempted until it commits.
#pragma once

#include <rocksdb/utilities/optimistic_transaction_db.h>
#include <rocksdb/utilities/transaction_db.h>

#include <cstdint>
#include <memory>
#include <string>

#include "driver/retry.h"

namespace waltax {

// Used by one thread. Its transaction object lives as long as it does, so that
// an attempt allocates next to nothing.
class TransactionLoop {
 public:
  TransactionLoop(rocksdb::TransactionDB* db,
                  const rocksdb::WriteOptions& write_options, int max_retries,
                  uint64_t seed)
      : db_(db), write_options_(write_options), retries_(max_retries, seed) {}
  TransactionLoop(rocksdb::OptimisticTransactionDB* db,
                  const rocksdb::WriteOptions& write_options, int max_retries,
                  uint64_t seed)
      : optimistic_(db),
        write_options_(write_options),
        retries_(max_retries, seed) {}

  // Calls `attempt()` in a fresh transaction and commits it, until that
  // succeeds, fails for good, or has met conflicts too often or for too long
  // (driver/retry.h).
  // Every conflict rolls back, so that no lock survives into the pause before
  // the next attempt. An attempt that wrote nothing, or that rolled back
  // itself, commits nothing: no record goes to the WAL.
  // Returns OK, or why it was given up. Adds 1 to `retries` for each attempt
  // that was made again, so not for a conflict that ended it.
  template <typename Attempt>
  rocksdb::Status Run(const Attempt& attempt, uint32_t* retries);

  // The transaction of the attempt under way.
  [[nodiscard]] rocksdb::Transaction& transaction() { return *transaction_; }
  // Its batch itself. Rows go there without a lock of their own where a lock
  // on another row covers them, and are not read back.
  [[nodiscard]] rocksdb::WriteBatch& batch();
  // The first phase of the attempt under way, which is its log record; the
  // commit is another. No other transaction of the database may have the name,
  // those that a killed process had prepared included.
  rocksdb::Status Prepare(const std::string& name);

 private:
  void Begin();
  rocksdb::Status Commit();

  // One of them is null.
  rocksdb::TransactionDB* db_ = nullptr;
  rocksdb::OptimisticTransactionDB* optimistic_ = nullptr;
  rocksdb::WriteOptions write_options_;
  RetryLoop retries_;
  std::unique_ptr<rocksdb::Transaction> transaction_;
};

// Writes keys that nobody else can know yet, each once: there is nothing to
// lock.
rocksdb::Status WriteUnlocked(rocksdb::TransactionDB* db,
                              const rocksdb::WriteOptions& options,
                              rocksdb::WriteBatch* batch);

// Whether another transaction was in the way, so that trying again may help.
bool IsConflict(const rocksdb::Status& status);

template <typename Attempt>
rocksdb::Status TransactionLoop::Run(const Attempt& attempt,
                                     uint32_t* retries) {
  return retries_.Run(
      [&] {
        Begin();
        rocksdb::Status status = attempt();
        if (status.ok()) status = Commit();
        if (!status.ok()) (void)transaction_->Rollback();
        return status;
      },
      IsConflict, retries);
}

}  // namespace waltax
