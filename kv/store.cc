#include "kv/store.h"

#include <memory>
#include <vector>

#include "driver/rocksdb/status.h"

namespace waltax::kv {
namespace {

constexpr int kMaxRetries = 100;  // conflicts after which a write is an error

}  // namespace

Status Store::RollBackPrepared() {
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

std::unique_ptr<TransactionLoop> Store::NewTransactions(uint64_t seed) {
  const rocksdb::WriteOptions& options = engine_.write_options();
  if (engine_.optimistic() != nullptr) {
    return std::make_unique<TransactionLoop>(engine_.optimistic(), options,
                                             kMaxRetries, seed);
  }
  return std::make_unique<TransactionLoop>(engine_.db(), options, kMaxRetries,
                                           seed);
}

rocksdb::Status Store::Write(rocksdb::WriteBatch* batch) {
  return WriteUnlocked(engine_.db(), engine_.write_options(), batch);
}

Status Store::Scan(
    bool loaded, uint64_t key,
    const std::function<void(std::string_view, std::string_view)>& row) const {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  options.fill_cache = false;  // the next slice shall find its cache as it was
  const std::unique_ptr<rocksdb::Iterator> rows(
      engine_.base()->NewIterator(options, family(loaded, key)));
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    row(rows->key().ToStringView(), rows->value().ToStringView());
  }
  if (rows->status().ok()) return Status::Ok();
  return Explained(rows->status(), "check the data set",
                   engine_.base()->GetName());
}

}  // namespace waltax::kv
