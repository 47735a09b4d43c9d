// Every statement of the five transactions.
//
// All of them find their rows by the primary key, or by the index that is made
// for them, and those that an optimizer could see otherwise name it: MyRocks
// may estimate one row for any range of any index, and then takes the first
// (or a covering one, which it cannot lock alone). Money is cast to DECIMAL:
// beside a text the server would compute in floating point.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "tpcc/schema.h"

namespace waltax::tpcc::sql {

// "?, ?, ?".
inline std::string Places(size_t count) {
  std::string places;
  for (size_t i = 0; i < count; ++i) places += i == 0 ? "?" : ", ?";
  return places;
}

// One order of each district: ten places in the primary key.
inline std::string OrderOfEachDistrict(std::string_view w, std::string_view d,
                                       std::string_view o) {
  std::string orders;
  for (uint32_t district = 1; district <= kDistricts; ++district) {
    orders += fmt::format("{}{} = {} AND {} = ?", district == 1 ? "" : " OR ",
                          d, district, o);
  }
  return fmt::format("WHERE {} = ? AND ({})", w, orders);
}

// New-Order (clause 2.4). The number that was taken is the statement's insert
// id, so that there is no read before the lock.
inline constexpr std::string_view kTakeNumber =
    "UPDATE district SET d_next_o_id = LAST_INSERT_ID(d_next_o_id) + 1 "
    "WHERE d_w_id = ? AND d_id = ?";
inline constexpr std::string_view kReadUnchanging =
    "SELECT w_tax, d_tax, c_discount, c_last, c_credit "
    "FROM warehouse, district, customer FORCE INDEX (PRIMARY) "
    "WHERE w_id = ? AND d_w_id = ? AND d_id = ? "
    "AND c_w_id = ? AND c_d_id = ? AND c_id = ?";
inline std::string ReadItems(size_t items) {
  return fmt::format(
      "SELECT i_id, i_price, i_name, i_data FROM item FORCE INDEX (PRIMARY) "
      "WHERE i_id IN ({})",
      Places(items));
}
// The district; the warehouse; the items. Locks them in the order of the key.
inline std::string LockStock(size_t items) {
  return fmt::format(
      "SELECT s_i_id, s_quantity, s_data, ELT(?, s_dist_01, s_dist_02, "
      "s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, s_dist_08, "
      "s_dist_09, s_dist_10) FROM stock FORCE INDEX (PRIMARY) "
      "WHERE s_w_id = ? AND s_i_id IN ({}) FOR UPDATE",
      Places(items));
}
inline constexpr std::string_view kInsertOrder =
    "INSERT INTO orders (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, "
    "o_carrier_id, o_ol_cnt, o_all_local) VALUES (?, ?, ?, ?, ?, NULL, ?, ?)";
inline constexpr std::string_view kInsertNewOrder =
    "INSERT INTO new_orders (no_w_id, no_d_id, no_o_id) VALUES (?, ?, ?)";
inline constexpr std::string_view kTakeStock =
    "UPDATE stock FORCE INDEX (PRIMARY) SET s_quantity = ?, s_ytd = s_ytd + ?, "
    "s_order_cnt = s_order_cnt + ?, s_remote_cnt = s_remote_cnt + ? "
    "WHERE s_w_id = ? AND s_i_id = ?";
inline constexpr std::string_view kInsertLine =
    "INSERT INTO order_line (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, "
    "ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info) "
    "VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)";

// The customers of a last name (clauses 2.5.2.2 and 2.6.2.2), from the index
// alone.
inline constexpr std::string_view kFindByName =
    "SELECT c_id FROM customer FORCE INDEX (customer_name) "
    "WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first, c_id";

// Payment (clause 2.5).
inline constexpr std::string_view kPayWarehouse =
    "UPDATE warehouse SET w_ytd = w_ytd + CAST(? AS DECIMAL(12,2)) "
    "WHERE w_id = ?";
inline constexpr std::string_view kPayDistrict =
    "UPDATE district SET d_ytd = d_ytd + CAST(? AS DECIMAL(12,2)) "
    "WHERE d_w_id = ? AND d_id = ?";
inline constexpr std::string_view kPayCustomer =
    "UPDATE customer FORCE INDEX (PRIMARY) SET "
    "c_balance = c_balance - CAST(? AS DECIMAL(12,2)), "
    "c_ytd_payment = c_ytd_payment + CAST(? AS DECIMAL(12,2)), "
    "c_payment_cnt = c_payment_cnt + 1, "
    "c_data = IF(c_credit = 'BC', LEFT(CONCAT(?, c_data), 500), c_data) "
    "WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
// After them, so that it shows what they did. What the screen has and nothing
// is computed from stands behind.
inline constexpr std::string_view kReadPaid =
    "SELECT w_name, d_name, c_balance, c_credit_lim, c_discount, c_credit, "
    "c_payment_cnt, LEFT(c_data, 200), w_street_1, w_street_2, w_city, "
    "w_state, w_zip, d_street_1, d_street_2, d_city, d_state, d_zip, c_first, "
    "c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, "
    "c_phone, c_since "
    "FROM warehouse, district, customer FORCE INDEX (PRIMARY) "
    "WHERE w_id = ? AND d_w_id = ? AND d_id = ? "
    "AND c_w_id = ? AND c_d_id = ? AND c_id = ?";
inline constexpr std::string_view kInsertHistory =
    "INSERT INTO history (h_c_w_id, h_c_d_id, h_c_id, h_payment, h_w_id, "
    "h_d_id, h_date, h_amount, h_data) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

// Order-Status (clause 2.6).
inline constexpr std::string_view kReadNewest =
    "SELECT c_balance, o_id, o_entry_d, o_carrier_id, c_first, c_middle, "
    "c_last FROM customer FORCE INDEX (PRIMARY) STRAIGHT_JOIN "
    "orders FORCE INDEX (orders_customer) "
    "WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? "
    "AND o_w_id = ? AND o_d_id = ? AND o_c_id = ? "
    "ORDER BY o_id DESC LIMIT 1";
inline constexpr std::string_view kReadLines =
    "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d "
    "FROM order_line FORCE INDEX (PRIMARY) "
    "WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ? ORDER BY ol_number";

// Delivery (clause 2.7). Those of the ten districts' orders have the warehouse
// and then the order of each district, 0 where there is none.
inline constexpr std::string_view kLockOldest =
    "SELECT no_o_id FROM new_orders FORCE INDEX (PRIMARY) "
    "WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 FOR UPDATE";
inline constexpr std::string_view kTakeFromQueue =
    "DELETE FROM new_orders "
    "WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?";
inline std::string ReadDeliveredOrders() {
  return "SELECT o_d_id, o_c_id FROM orders FORCE INDEX (PRIMARY) " +
         OrderOfEachDistrict("o_w_id", "o_d_id", "o_id");
}
// The carrier comes first.
inline std::string StampOrders() {
  return "UPDATE orders FORCE INDEX (PRIMARY) SET o_carrier_id = ? " +
         OrderOfEachDistrict("o_w_id", "o_d_id", "o_id");
}
inline std::string SumLines() {
  return "SELECT ol_d_id, SUM(ol_amount) "
         "FROM order_line FORCE INDEX (PRIMARY) " +
         OrderOfEachDistrict("ol_w_id", "ol_d_id", "ol_o_id") +
         " GROUP BY ol_d_id";
}
// The time comes first.
inline std::string StampLines() {
  return "UPDATE order_line FORCE INDEX (PRIMARY) SET ol_delivery_d = ? " +
         OrderOfEachDistrict("ol_w_id", "ol_d_id", "ol_o_id");
}
inline constexpr std::string_view kCreditCustomer =
    "UPDATE customer FORCE INDEX (PRIMARY) SET "
    "c_balance = c_balance + CAST(? AS DECIMAL(12,2)), "
    "c_delivery_cnt = c_delivery_cnt + 1 "
    "WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";

// Stock-Level (clause 2.8).
inline constexpr std::string_view kReadNextOrder =
    "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?";
inline constexpr std::string_view kCountLow =
    "SELECT COUNT(DISTINCT s_i_id) "
    "FROM order_line FORCE INDEX (PRIMARY) STRAIGHT_JOIN "
    "stock FORCE INDEX (PRIMARY) "
    "WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id >= ? AND ol_o_id < ? "
    "AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?";

}  // namespace waltax::tpcc::sql
