// Rows as they go to RocksDB, whatever takes them there.
#pragma once

#include <string>

#include "shop/kv/row_codec.h"

namespace waltax::shop {

// The places of KvTableNames(), from 0 for customers.
inline constexpr size_t kCustomersPlace = 0;
inline constexpr size_t kProductsPlace = 1;
inline constexpr size_t kOrdersPlace = 2;
inline constexpr size_t kIndexPlace = 3;

// Each calls `put(place, key, value)`, which returns a rocksdb::Status. Of an
// order, the index has its entry from elsewhere.
template <typename Put>
auto PutRow(const Customer& row, std::string* bytes, const Put& put) {
  Encode(row, bytes);
  return put(kCustomersPlace, RowKey(row.id).slice(), *bytes);
}

template <typename Put>
auto PutRow(const Product& row, std::string* bytes, const Put& put) {
  Encode(row, bytes);
  return put(kProductsPlace, RowKey(row.id).slice(), *bytes);
}

template <typename Put>
auto PutRow(const Order& row, std::string* bytes, const Put& put) {
  Encode(row, bytes);
  return put(kOrdersPlace, RowKey(row.id).slice(), *bytes);
}

}  // namespace waltax::shop
