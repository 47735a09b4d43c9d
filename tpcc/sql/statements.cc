#include "tpcc/sql/statements.h"

#include <fmt/format.h>

#include "tpcc/schema.h"

namespace waltax::tpcc::sql {

namespace {

// "?, ?, ?".
std::string Places(size_t count) {
  std::string places;
  for (size_t i = 0; i < count; ++i) places += i == 0 ? "?" : ", ?";
  return places;
}

// One order of each district: ten places in the primary key.
std::string OrderOfEachDistrict(std::string_view w, std::string_view d,
                                std::string_view o) {
  std::string orders;
  for (uint32_t district = 1; district <= kDistricts; ++district) {
    orders += fmt::format("{}{} = {} AND {} = ?", district == 1 ? "" : " OR ",
                          d, district, o);
  }
  return fmt::format("WHERE {} = ? AND ({})", w, orders);
}

}  // namespace

std::string ReadItems(size_t items) {
  return fmt::format(
      "SELECT i_id, i_price, i_name, i_data FROM item FORCE INDEX (PRIMARY) "
      "WHERE i_id IN ({})",
      Places(items));
}

std::string LockStock(size_t items) {
  return fmt::format(
      "SELECT s_i_id, s_quantity, s_data, ELT(?, s_dist_01, s_dist_02, "
      "s_dist_03, s_dist_04, s_dist_05, s_dist_06, s_dist_07, s_dist_08, "
      "s_dist_09, s_dist_10) FROM stock FORCE INDEX (PRIMARY) "
      "WHERE s_w_id = ? AND s_i_id IN ({}) FOR UPDATE",
      Places(items));
}

std::string ReadDeliveredOrders() {
  return "SELECT o_d_id, o_c_id FROM orders FORCE INDEX (PRIMARY) " +
         OrderOfEachDistrict("o_w_id", "o_d_id", "o_id");
}

std::string StampOrders() {
  return "UPDATE orders FORCE INDEX (PRIMARY) SET o_carrier_id = ? " +
         OrderOfEachDistrict("o_w_id", "o_d_id", "o_id");
}

std::string SumLines() {
  return "SELECT ol_d_id, SUM(ol_amount) "
         "FROM order_line FORCE INDEX (PRIMARY) " +
         OrderOfEachDistrict("ol_w_id", "ol_d_id", "ol_o_id") +
         " GROUP BY ol_d_id";
}

std::string StampLines() {
  return "UPDATE order_line FORCE INDEX (PRIMARY) SET ol_delivery_d = ? " +
         OrderOfEachDistrict("ol_w_id", "ol_d_id", "ol_o_id");
}

}  // namespace waltax::tpcc::sql
