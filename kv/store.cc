#include "kv/store.h"

#include <memory>

#include "driver/rocksdb/status.h"
#include "driver/rocksdb/transaction_loop.h"

namespace waltax::kv {

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
      engine_.db()->NewIterator(options, family(loaded, key)));
  for (rows->SeekToFirst(); rows->Valid(); rows->Next()) {
    row(rows->key().ToStringView(), rows->value().ToStringView());
  }
  if (rows->status().ok()) return Status::Ok();
  return Explained(rows->status(), "check the data set",
                   engine_.db()->GetName());
}

}  // namespace waltax::kv
