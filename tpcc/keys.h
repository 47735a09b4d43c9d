// How TPC-C lies in RocksDB. One column family a table, each with tuning of its
// own if the options file has a section for it:
//
//   warehouse         : w                        -> Warehouse
//   district          : w d                      -> District
//   customer          : w d c                    -> Customer
//   customer_by_name  : w d last 0 first 0 c     -> (empty)
//   history           : w d c payment            -> History
//   orders            : w d o                    -> Order
//   order_by_customer : w d c newest             -> (empty)
//   new_order         : w d o                    -> (empty)
//                     | w d 0                    -> oldest
//   order_line        : w d o number             -> OrderLine
//   item              : i                        -> Item
//   stock             : w i                      -> Stock
//   default           : "meta"                   -> JSON, see population.h
//
//   w, c, o, i, payment : 4 bytes, big-endian
//   d, number           : 1 byte
//   last, first         : text without a 0 byte
//   newest = ~o, so that an ascending scan reads the newest order first
//   payment = the customer's C_PAYMENT_CNT after the payment, which makes the
//             key of a table that has none by clause 1.3.1
//   oldest  = 4 bytes, little-endian: no row of the district's NEW-ORDER has a
//             smaller o. Delivery locks this row and seeks from it, so that it
//             never walks over the tombstones of what was delivered before.
//
// new_order's rows are Put once and then SingleDeleted. Values lie as
// driver/table/columns.h says.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "driver/rocksdb/key_bytes.h"

namespace waltax::tpcc {

// What a change of the layout in RocksDB, or of the tables of a server, must
// increase: older data sets are then refused.
inline constexpr int kLayoutVersion = 1;
inline constexpr int kSqlLayoutVersion = 1;

using WarehouseKey = Key<4>;
using DistrictKey = Key<5>;
using CustomerKey = Key<9>;
using HistoryKey = Key<13>;
using OrderKey = Key<9>;
using OrderByCustomerKey = Key<13>;
using OrderLineKey = Key<10>;
using ItemKey = Key<4>;
using StockKey = Key<8>;

inline WarehouseKey KeyOfWarehouse(uint32_t w) { return MakeKey(w); }
inline DistrictKey KeyOfDistrict(uint32_t w, uint8_t d) {
  return MakeKey(w, d);
}
inline CustomerKey KeyOfCustomer(uint32_t w, uint8_t d, uint32_t c) {
  return MakeKey(w, d, c);
}
inline HistoryKey KeyOfHistory(uint32_t w, uint8_t d, uint32_t c,
                               uint32_t payment) {
  return MakeKey(w, d, c, payment);
}
inline OrderKey KeyOfOrder(uint32_t w, uint8_t d, uint32_t o) {
  return MakeKey(w, d, o);
}
inline OrderByCustomerKey KeyOfOrderByCustomer(uint32_t w, uint8_t d,
                                               uint32_t c, uint32_t o) {
  return MakeKey(w, d, c, ~o);
}
inline OrderKey KeyOfNewOrder(uint32_t w, uint8_t d, uint32_t o) {
  return MakeKey(w, d, o);
}
// The row that holds the low-water mark.
inline OrderKey KeyOfOldestNewOrder(uint32_t w, uint8_t d) {
  return MakeKey(w, d, uint32_t{0});
}
inline OrderLineKey KeyOfOrderLine(uint32_t w, uint8_t d, uint32_t o,
                                   uint8_t number) {
  return MakeKey(w, d, o, number);
}
inline ItemKey KeyOfItem(uint32_t i) { return MakeKey(i); }
inline StockKey KeyOfStock(uint32_t w, uint32_t i) { return MakeKey(w, i); }

// What all index rows of customers with this last name begin with.
inline void AppendLastNamePrefix(uint32_t w, uint8_t d, std::string_view last,
                                 std::string* out) {
  out->append(KeyOfDistrict(w, d).slice().ToStringView());
  out->append(last);
  out->push_back('\0');
}

inline void AppendCustomerByName(uint32_t w, uint8_t d, std::string_view last,
                                 std::string_view first, uint32_t c,
                                 std::string* out) {
  AppendLastNamePrefix(w, d, last, out);
  out->append(first);
  out->push_back('\0');
  out->append(MakeKey(c).slice().ToStringView());
}

// Parts of keys. REQUIRES: `key` is one of a table that has the part.
inline uint32_t WarehouseOf(const rocksdb::Slice& key) {
  return GetBigEndian<uint32_t>(key.data());
}
inline uint8_t DistrictOf(const rocksdb::Slice& key) {
  return static_cast<uint8_t>(key[4]);
}
// c of customer, history and order_by_customer; o of orders, new_order and
// order_line.
inline uint32_t NumberOf(const rocksdb::Slice& key) {
  return GetBigEndian<uint32_t>(key.data() + 5);
}
inline uint32_t NewestOrderOf(const rocksdb::Slice& order_by_customer_key) {
  return ~GetBigEndian<uint32_t>(order_by_customer_key.data() + 9);
}
inline uint8_t LineOf(const rocksdb::Slice& order_line_key) {
  return static_cast<uint8_t>(order_line_key[9]);
}
inline uint32_t NumberOfItem(const rocksdb::Slice& item_key) {
  return GetBigEndian<uint32_t>(item_key.data());
}
inline uint32_t ItemOf(const rocksdb::Slice& stock_key) {
  return GetBigEndian<uint32_t>(stock_key.data() + 4);
}
// The last 4 bytes of a customer_by_name key.
inline uint32_t CustomerOfName(const rocksdb::Slice& key) {
  return GetBigEndian<uint32_t>(key.data() + key.size() - 4);
}

}  // namespace waltax::tpcc
