#include "driver/rocksdb/transaction_loop.h"

#include <rocksdb/utilities/write_batch_with_index.h>

#include "driver/status.h"

namespace waltax {
namespace {

// Frames of their own, so that the thread sanitizer shows Commit(), Prepare()
// and WriteUnlocked() above them: it knows the frames of our code only, and
// tests/tsan.supp has to tell what RocksDB does there from what our statements
// do.
[[gnu::noinline]] rocksdb::Status CommitIn(rocksdb::Transaction* transaction) {
  return transaction->Commit();
}
[[gnu::noinline]] rocksdb::Status PrepareIn(rocksdb::Transaction* transaction) {
  return transaction->Prepare();
}
[[gnu::noinline]] rocksdb::Status WriteIn(rocksdb::TransactionDB* db,
                                          const rocksdb::WriteOptions& options,
                                          rocksdb::WriteBatch* batch) {
  rocksdb::TransactionDBWriteOptimizations unlocked;
  unlocked.skip_concurrency_control = true;
  unlocked.skip_duplicate_key_check = true;
  return db->Write(options, unlocked, batch);
}

}  // namespace

bool IsConflict(const rocksdb::Status& status) {
  // A deadlock is a kind of Busy. A transaction may be aborted for the sake of
  // others, and TryAgain is a memory of recent writes that was too short.
  return status.IsBusy() || status.IsAborted() || status.IsTimedOut() ||
         status.IsTryAgain();
}

rocksdb::Status WriteUnlocked(rocksdb::TransactionDB* db,
                              const rocksdb::WriteOptions& options,
                              rocksdb::WriteBatch* batch) {
  return WriteIn(db, options, batch);
}

rocksdb::WriteBatch& TransactionLoop::batch() {
  return *transaction_->GetWriteBatch()->GetWriteBatch();
}

void TransactionLoop::Begin() {
  rocksdb::Transaction* const last = transaction_.release();
  transaction_.reset(
      optimistic_ != nullptr
          ? optimistic_->BeginTransaction(
                write_options_, rocksdb::OptimisticTransactionOptions(), last)
          : db_->BeginTransaction(write_options_, rocksdb::TransactionOptions(),
                                  last));
}

rocksdb::Status TransactionLoop::Prepare(const std::string& name) {
  TRY(transaction_->SetName(name));
  return PrepareIn(transaction_.get());
}

rocksdb::Status TransactionLoop::Commit() {
  // An empty commit would still be a record in the WAL, and its sync.
  if (batch().Count() == 0) return transaction_->Rollback();
  return CommitIn(transaction_.get());
}

}  // namespace waltax
