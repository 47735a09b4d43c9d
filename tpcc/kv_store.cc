#include "tpcc/kv_store.h"

#include <rocksdb/iterator.h>

#include "driver/rocksdb_status.h"
#include "tpcc/kv_session.h"

namespace waltax::tpcc {

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(tables_, write_options_, max_retries_,
                                     seed);
}

Status KvStore::Scan(Table table, std::string_view prefix,
                     RowVisitor* visitor) const {
  rocksdb::ReadOptions options;
  options.fill_cache = false;  // the next slice shall find its cache warm
  const std::unique_ptr<rocksdb::Iterator> rows(
      tables_.db->NewIterator(options, tables_[table]));
  for (rows->Seek(prefix);
       rows->Valid() && rows->key().ToStringView().starts_with(prefix);
       rows->Next()) {
    visitor->Visit(rows->key().ToStringView(), rows->value().ToStringView());
  }
  if (rows->status().ok()) return Status::Ok();
  return Explained(rows->status(), "read a table", tables_.db->GetName());
}

}  // namespace waltax::tpcc
