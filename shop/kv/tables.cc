#include "shop/kv/tables.h"

#include <fmt/format.h>

#include "driver/rocksdb/status.h"
#include "shop/kv/row_codec.h"

namespace waltax::shop {

template <typename Each>
Status KvRows::Iterate(rocksdb::ColumnFamilyHandle* table,
                       const KeyRange& range, const Each& each) {
  rocksdb::ReadOptions options;
  options.total_order_seek = true;
  options.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> rows(
      db_->NewIterator(options, table));
  for (rows->Seek(RowKey(range.first).slice()); rows->Valid(); rows->Next()) {
    const rocksdb::Slice key = rows->key();
    if (key.size() >= 8 && GetBigEndian<uint64_t>(key.data()) > range.last) {
      break;
    }
    if (!each(key, rows->value())) {
      return Status::Failed(
          fmt::format("check the data set: {} of {} has bytes that are no row",
                      key.ToString(/*hex=*/true), table->GetName()));
    }
  }
  return rows->status().ok()
             ? Status::Ok()
             : Explained(rows->status(), "check the data set", db_->GetName());
}

template <typename Row, typename Each>
Status KvRows::ForRows(rocksdb::ColumnFamilyHandle* table,
                       const KeyRange& range, const Each& each) {
  Row row;
  return Iterate(table, range,
                 [&](const rocksdb::Slice& key, const rocksdb::Slice& value) {
                   if (key.size() != 8) return false;
                   row.id = GetBigEndian<uint64_t>(key.data());
                   if (!Decode(value.ToStringView(), &row)) return false;
                   each(row);
                   return true;
                 });
}

Status KvRows::ForCustomers(const KeyRange& range,
                            const std::function<void(const Customer&)>& each) {
  return ForRows<Customer>(tables_.customers, range, each);
}

Status KvRows::ForProducts(const KeyRange& range,
                           const std::function<void(const Product&)>& each) {
  return ForRows<Product>(tables_.products, range, each);
}

Status KvRows::ForOrders(const KeyRange& range,
                         const std::function<void(const Order&)>& each) {
  return ForRows<Order>(tables_.orders, range, each);
}

Status KvRows::ForEntries(const KeyRange& range,
                          const std::function<void(uint64_t, uint64_t)>& each) {
  return Iterate(tables_.index, range,
                 [&](const rocksdb::Slice& key, const rocksdb::Slice& value) {
                   if (key.size() != 16 || !value.empty()) return false;
                   each(GetBigEndian<uint64_t>(key.data()),
                        GetBigEndian<uint64_t>(key.data() + 8));
                   return true;
                 });
}

}  // namespace waltax::shop
