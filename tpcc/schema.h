// The nine tables of TPC-C (clause 1.3) as typed rows, and their cardinalities
// (clause 4.3.3.1). Clauses are those of revision 5.11.
//
// A row holds the columns that its key (keys.h) does not. Money is in cents and
// rates are in ten-thousandths: no stored number has a rounding error, so every
// consistency condition is an equality. Text points into memory of someone
// else: the value that a row was decoded from, or a generator's buffer.
#pragma once

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>

namespace waltax::tpcc {

using Cents = int64_t;
using TenThousandths = int32_t;
// Milliseconds since the epoch; 0 is NULL.
using Timestamp = uint64_t;

// Clause 1.2.1 and 4.3.3.1: per warehouse, unless another unit is named.
inline constexpr uint32_t kDistricts = 10;
inline constexpr uint32_t kCustomersPerDistrict = 3000;
inline constexpr uint32_t kOrdersPerDistrict = 3000;
inline constexpr uint32_t kFirstUndelivered = 2101;  // of those orders
inline constexpr uint32_t kItems = 100'000;          // and stock rows
inline constexpr uint32_t kMinOrderLines = 5;
inline constexpr uint32_t kMaxOrderLines = 15;
inline constexpr uint32_t kMostWarehouses = 1'000'000;

// Column families, in the order of their keys' grammar in keys.h.
enum class Table : uint8_t {
  kWarehouse,
  kDistrict,
  kCustomer,
  kCustomerByName,
  kHistory,
  kOrder,
  kOrderByCustomer,
  kNewOrder,
  kOrderLine,
  kItem,
  kStock,
};
inline constexpr size_t kTables = 11;
inline constexpr std::array<std::string_view, kTables> kTableNames = {
    "warehouse",
    "district",
    "customer",
    "customer_by_name",
    "history",
    "orders",
    "order_by_customer",
    "new_order",
    "order_line",
    "item",
    "stock"};

struct Address {
  std::string_view street_1;
  std::string_view street_2;
  std::string_view city;
  std::string_view state;
  std::string_view zip;
};

struct Warehouse {
  TenThousandths tax = 0;
  Cents ytd = 0;
  std::string_view name;
  Address address;

  static constexpr auto Columns() {
    return std::tuple(&Warehouse::tax, &Warehouse::ytd, &Warehouse::name,
                      &Warehouse::address);
  }
};

struct District {
  uint32_t next_o_id = 0;
  TenThousandths tax = 0;
  Cents ytd = 0;
  std::string_view name;
  Address address;

  static constexpr auto Columns() {
    return std::tuple(&District::next_o_id, &District::tax, &District::ytd,
                      &District::name, &District::address);
  }
};

struct Customer {
  Cents balance = 0;
  Cents ytd_payment = 0;
  uint32_t payment_cnt = 0;
  uint32_t delivery_cnt = 0;
  Cents credit_lim = 0;
  TenThousandths discount = 0;
  Timestamp since = 0;
  std::string_view first;
  std::string_view middle;
  std::string_view last;
  std::string_view phone;
  std::string_view credit;  // "GC" or "BC"
  Address address;
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(&Customer::balance, &Customer::ytd_payment,
                      &Customer::payment_cnt, &Customer::delivery_cnt,
                      &Customer::credit_lim, &Customer::discount,
                      &Customer::since, &Customer::first, &Customer::middle,
                      &Customer::last, &Customer::phone, &Customer::credit,
                      &Customer::address, &Customer::data);
  }
};

struct History {
  uint32_t w_id = 0;  // where the payment was made
  uint8_t d_id = 0;
  Timestamp date = 0;
  Cents amount = 0;
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(&History::w_id, &History::d_id, &History::date,
                      &History::amount, &History::data);
  }
};

struct Order {
  uint32_t c_id = 0;
  Timestamp entry_d = 0;
  uint8_t carrier_id = 0;  // 0 is NULL: not delivered
  uint8_t ol_cnt = 0;
  uint8_t all_local = 1;

  static constexpr auto Columns() {
    return std::tuple(&Order::c_id, &Order::entry_d, &Order::carrier_id,
                      &Order::ol_cnt, &Order::all_local);
  }
};

struct OrderLine {
  uint32_t i_id = 0;
  uint32_t supply_w_id = 0;
  Timestamp delivery_d = 0;
  uint8_t quantity = 0;
  Cents amount = 0;
  std::string_view dist_info;

  static constexpr auto Columns() {
    return std::tuple(&OrderLine::i_id, &OrderLine::supply_w_id,
                      &OrderLine::delivery_d, &OrderLine::quantity,
                      &OrderLine::amount, &OrderLine::dist_info);
  }
};

struct Item {
  uint32_t im_id = 0;
  Cents price = 0;
  std::string_view name;
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(&Item::im_id, &Item::price, &Item::name, &Item::data);
  }
};

struct Stock {
  static constexpr size_t kDistBytes = 24;

  int32_t quantity = 0;
  uint32_t order_cnt = 0;
  uint32_t remote_cnt = 0;
  uint64_t ytd = 0;
  std::string_view dists;  // S_DIST_01 to S_DIST_10, 24 letters each
  std::string_view data;

  // REQUIRES: 1 <= d_id <= kDistricts, and `dists` is complete.
  [[nodiscard]] std::string_view dist(uint32_t d_id) const {
    return dists.substr((d_id - 1) * kDistBytes, kDistBytes);
  }
  static constexpr auto Columns() {
    return std::tuple(&Stock::quantity, &Stock::order_cnt, &Stock::remote_cnt,
                      &Stock::ytd, &Stock::dists, &Stock::data);
  }
};

// Cents as people read them: -1234 is "-12.34".
inline std::string Money(Cents cents) {
  return fmt::format("{}{}.{:02}", cents < 0 ? "-" : "", std::abs(cents / 100),
                     std::abs(cents % 100));
}

// The clock of the "date and time" columns (clause 1.3).
inline Timestamp Now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<Timestamp>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace waltax::tpcc
