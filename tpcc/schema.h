// The nine tables of TPC-C (clause 1.3) as typed rows, and their cardinalities
// (clause 4.3.3.1). Clauses are those of revision 5.11. tables.h has their
// keys.
//
// A row holds the columns that its key does not. Money is in cents and
// rates are in ten-thousandths: no stored number has a rounding error, so every
// consistency condition is an equality. Text points into memory of someone
// else: the value that a row was decoded from, or a generator's buffer.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>

#include "driver/table/columns.h"

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

using table::Column;
using table::DecodeRow;
using table::EncodeRow;
using table::Type;

inline constexpr Type kInt = {"INT UNSIGNED NOT NULL"};
inline constexpr Type kTinyInt = {"TINYINT UNSIGNED NOT NULL"};
inline constexpr Type kMoney = {"DECIMAL(12,2) NOT NULL", table::As::kDecimal,
                                2};
inline constexpr Type kAmount = {"DECIMAL(6,2) NOT NULL", table::As::kDecimal,
                                 2};
inline constexpr Type kRate = {"DECIMAL(4,4) NOT NULL", table::As::kDecimal, 4};
inline constexpr Type kTime = {"DATETIME(3)", table::As::kTime};
inline constexpr Type kChar2 = {"CHAR(2) NOT NULL"};
inline constexpr Type kVarchar16 = {"VARCHAR(16) NOT NULL"};
inline constexpr Type kVarchar20 = {"VARCHAR(20) NOT NULL"};
inline constexpr Type kVarchar24 = {"VARCHAR(24) NOT NULL"};
inline constexpr Type kVarchar50 = {"VARCHAR(50) NOT NULL"};

struct Address {
  std::string_view street_1;
  std::string_view street_2;
  std::string_view city;
  std::string_view state;
  std::string_view zip;

  static constexpr auto Columns() {
    return std::tuple(Column{"street_1", kVarchar20, &Address::street_1},
                      Column{"street_2", kVarchar20, &Address::street_2},
                      Column{"city", kVarchar20, &Address::city},
                      Column{"state", kChar2, &Address::state},
                      Column{"zip", Type{"CHAR(9) NOT NULL"}, &Address::zip});
  }
};

struct Warehouse {
  static constexpr Table kTable = Table::kWarehouse;

  TenThousandths tax = 0;
  Cents ytd = 0;
  std::string_view name;
  Address address;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"tax", kRate, &Warehouse::tax},
        Column{"ytd", kMoney, &Warehouse::ytd},
        Column{"name", Type{"VARCHAR(10) NOT NULL"}, &Warehouse::name},
        Column{"address", Type{}, &Warehouse::address});
  }
};

struct District {
  static constexpr Table kTable = Table::kDistrict;

  uint32_t next_o_id = 0;
  TenThousandths tax = 0;
  Cents ytd = 0;
  std::string_view name;
  Address address;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"next_o_id", kInt, &District::next_o_id},
        Column{"tax", kRate, &District::tax},
        Column{"ytd", kMoney, &District::ytd},
        Column{"name", Type{"VARCHAR(10) NOT NULL"}, &District::name},
        Column{"address", Type{}, &District::address});
  }
};

struct Customer {
  static constexpr Table kTable = Table::kCustomer;

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
    return std::tuple(
        Column{"balance", kMoney, &Customer::balance},
        Column{"ytd_payment", kMoney, &Customer::ytd_payment},
        Column{"payment_cnt", kInt, &Customer::payment_cnt},
        Column{"delivery_cnt", kInt, &Customer::delivery_cnt},
        Column{"credit_lim", kMoney, &Customer::credit_lim},
        Column{"discount", kRate, &Customer::discount},
        Column{"since", kTime, &Customer::since},
        Column{"first", kVarchar16, &Customer::first},
        Column{"middle", kChar2, &Customer::middle},
        Column{"last", kVarchar16, &Customer::last},
        Column{"phone", Type{"CHAR(16) NOT NULL"}, &Customer::phone},
        Column{"credit", kChar2, &Customer::credit},
        Column{"address", Type{}, &Customer::address},
        Column{"data", Type{"VARCHAR(500) NOT NULL"}, &Customer::data});
  }
};

struct History {
  static constexpr Table kTable = Table::kHistory;

  uint32_t w_id = 0;  // where the payment was made
  uint8_t d_id = 0;
  Timestamp date = 0;
  Cents amount = 0;
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(Column{"w_id", kInt, &History::w_id},
                      Column{"d_id", kTinyInt, &History::d_id},
                      Column{"date", kTime, &History::date},
                      Column{"amount", kAmount, &History::amount},
                      Column{"data", kVarchar24, &History::data});
  }
};

struct Order {
  static constexpr Table kTable = Table::kOrder;

  uint32_t c_id = 0;
  Timestamp entry_d = 0;
  uint8_t carrier_id = 0;  // 0 is NULL: not delivered
  uint8_t ol_cnt = 0;
  uint8_t all_local = 1;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"c_id", kInt, &Order::c_id},
        Column{"entry_d", kTime, &Order::entry_d},
        Column{"carrier_id", Type{"TINYINT UNSIGNED", table::As::kNullIfZero},
               &Order::carrier_id},
        Column{"ol_cnt", kTinyInt, &Order::ol_cnt},
        Column{"all_local", kTinyInt, &Order::all_local});
  }
};

struct OrderLine {
  static constexpr Table kTable = Table::kOrderLine;

  uint32_t i_id = 0;
  uint32_t supply_w_id = 0;
  Timestamp delivery_d = 0;
  uint8_t quantity = 0;
  Cents amount = 0;
  std::string_view dist_info;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"i_id", kInt, &OrderLine::i_id},
        Column{"supply_w_id", kInt, &OrderLine::supply_w_id},
        Column{"delivery_d", kTime, &OrderLine::delivery_d},
        Column{"quantity", kTinyInt, &OrderLine::quantity},
        Column{"amount", kAmount, &OrderLine::amount},
        Column{"dist_info", Type{"CHAR(24) NOT NULL"}, &OrderLine::dist_info});
  }
};

struct Item {
  static constexpr Table kTable = Table::kItem;

  uint32_t im_id = 0;
  Cents price = 0;
  std::string_view name;
  std::string_view data;

  static constexpr auto Columns() {
    return std::tuple(
        Column{"im_id", kInt, &Item::im_id},
        Column{"price", Type{"DECIMAL(5,2) NOT NULL", table::As::kDecimal, 2},
               &Item::price},
        Column{"name", kVarchar24, &Item::name},
        Column{"data", kVarchar50, &Item::data});
  }
};

struct Stock {
  static constexpr Table kTable = Table::kStock;
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
    return std::tuple(
        Column{"quantity", Type{"SMALLINT NOT NULL"}, &Stock::quantity},
        Column{"order_cnt", kInt, &Stock::order_cnt},
        Column{"remote_cnt", kInt, &Stock::remote_cnt},
        Column{"ytd", Type{"BIGINT UNSIGNED NOT NULL"}, &Stock::ytd},
        Column{"dist_", Type{.sql = "CHAR(24) NOT NULL", .parts = kDistricts},
               &Stock::dists},
        Column{"data", kVarchar50, &Stock::data});
  }
};

// Rows whose keys say all.
template <Table table>
struct KeyOnly {
  static constexpr Table kTable = table;

  static constexpr auto Columns() { return std::tuple(); }
};
using CustomerName = KeyOnly<Table::kCustomerByName>;
using CustomerOrder = KeyOnly<Table::kOrderByCustomer>;

struct NewOrderRow {
  static constexpr Table kTable = Table::kNewOrder;

  std::string_view mark;  // of the low-water mark's row (keys.h)

  static constexpr auto Columns() {
    return std::tuple(
        Column{"mark", Type{"", table::As::kRest}, &NewOrderRow::mark});
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
