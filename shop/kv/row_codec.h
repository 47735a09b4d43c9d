// Rows as RocksDB holds them; all numbers are big-endian.
//   customers       customer_id:8 -> name:48 address:125 age:4
//   products        product_id:8 -> name:64 category:32 price_cents:4
//                   quantity:4 posted:4 changes:4 description:1024
//   orders          order_id:8 -> customer_id:8 product_id:8 quantity:4
//                   ordered_s:4
//   customer_index  customer_id:8 order_id:8 -> nothing
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "driver/rocksdb/key_bytes.h"
#include "shop/rows.h"

namespace waltax::shop {

inline Key<8> RowKey(uint64_t id) {
  Key<8> key;
  PutBigEndian(key.bytes.data(), id);
  return key;
}

inline Key<16> EntryKey(uint64_t customer_id, uint64_t order_id) {
  Key<16> key;
  PutBigEndian(PutBigEndian(key.bytes.data(), customer_id), order_id);
  return key;
}

// Appends columns to a row's bytes.
class RowWriter {
 public:
  explicit RowWriter(std::string* bytes) : bytes_(*bytes) { bytes_.clear(); }
  template <typename Number>
  RowWriter& Add(Number number) {
    char bytes[sizeof(number)];
    PutBigEndian(bytes, number);
    bytes_.append(bytes, sizeof(number));
    return *this;
  }
  // REQUIRES: the text has as many bytes as its column.
  RowWriter& Add(const std::string& text) {
    bytes_.append(text);
    return *this;
  }

 private:
  std::string& bytes_;
};

// Takes columns off a row's bytes. REQUIRES: there are as many.
class RowReader {
 public:
  explicit RowReader(std::string_view bytes) : at_(bytes.data()) {}
  template <typename Number>
  RowReader& Take(Number* number) {
    *number = GetBigEndian<Number>(at_);
    at_ += sizeof(*number);
    return *this;
  }
  RowReader& Take(size_t bytes, std::string* text) {
    text->assign(at_, bytes);
    at_ += bytes;
    return *this;
  }

 private:
  const char* at_;
};

inline void Encode(const Customer& row, std::string* bytes) {
  RowWriter(bytes).Add(row.name).Add(row.address).Add(row.age);
}

inline void Encode(const Product& row, std::string* bytes) {
  RowWriter(bytes)
      .Add(row.name)
      .Add(row.category)
      .Add(row.price_cents)
      .Add(row.quantity)
      .Add(row.posted)
      .Add(row.changes)
      .Add(row.description);
}

inline void Encode(const Order& row, std::string* bytes) {
  RowWriter(bytes)
      .Add(row.customer_id)
      .Add(row.product_id)
      .Add(row.quantity)
      .Add(row.ordered_s);
}

// Each reads all columns but the key; false when the bytes are no such row.
inline bool Decode(std::string_view bytes, Customer* row) {
  if (bytes.size() != kNameBytes + kAddressBytes + 4) return false;
  RowReader(bytes)
      .Take(kNameBytes, &row->name)
      .Take(kAddressBytes, &row->address)
      .Take(&row->age);
  return true;
}

inline bool Decode(std::string_view bytes, Product* row) {
  constexpr size_t kNumbers = 16;
  if (bytes.size() !=
      kProductNameBytes + kCategoryBytes + kNumbers + kDescriptionBytes) {
    return false;
  }
  RowReader(bytes)
      .Take(kProductNameBytes, &row->name)
      .Take(kCategoryBytes, &row->category)
      .Take(&row->price_cents)
      .Take(&row->quantity)
      .Take(&row->posted)
      .Take(&row->changes)
      .Take(kDescriptionBytes, &row->description);
  return true;
}

inline bool Decode(std::string_view bytes, Order* row) {
  if (bytes.size() != 24) return false;
  RowReader(bytes)
      .Take(&row->customer_id)
      .Take(&row->product_id)
      .Take(&row->quantity)
      .Take(&row->ordered_s);
  return true;
}

}  // namespace waltax::shop
