// The tables in RocksDB as a check reads them.
#pragma once

#include <functional>

#include "shop/check.h"
#include "shop/kv/store.h"

namespace waltax::shop {

// Thread-safe. Leaves the block cache as it was: the next slice shall find it
// so.
class KvRows : public Tables {
 public:
  KvRows(rocksdb::DB* db, const KvTables& tables) : db_(db), tables_(tables) {}

  Status ForCustomers(const KeyRange& range,
                      const std::function<void(const Customer&)>&) override;
  Status ForProducts(const KeyRange& range,
                     const std::function<void(const Product&)>&) override;
  Status ForOrders(const KeyRange& range,
                   const std::function<void(const Order&)>&) override;
  Status ForEntries(
      const KeyRange& range,
      const std::function<void(uint64_t, uint64_t)>& each) override;

 private:
  template <typename Row, typename Each>
  Status ForRows(rocksdb::ColumnFamilyHandle* table, const KeyRange& range,
                 const Each& each);
  // Calls `each(key, value)`, which says whether they are what they must be.
  template <typename Each>
  Status Iterate(rocksdb::ColumnFamilyHandle* table, const KeyRange& range,
                 const Each& each);

  rocksdb::DB* db_;
  KvTables tables_;
};

}  // namespace waltax::shop
