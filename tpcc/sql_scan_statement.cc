#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tpcc/sql_scan.h"
#include "tpcc/sql_schema.h"

namespace waltax::tpcc {

namespace {

// A column that keys begin with, and its bytes there.
struct KeyColumn {
  std::string_view name;
  size_t bytes;
};

struct ScanPlan {
  Table table;
  std::string_view columns;
  std::string_view index;
  std::array<KeyColumn, 4> key;  // those without bytes are none
  std::string_view order;
};

// In the order of the enum.
constexpr std::array<ScanPlan, kTables> kPlans = {{
    {Table::kWarehouse,
     "w_id, w_tax, w_ytd, w_name, w_street_1, w_street_2, w_city, w_state, "
     "w_zip",
     "PRIMARY",
     {{{"w_id", 4}}},
     "w_id"},
    {Table::kDistrict,
     "d_w_id, d_id, d_next_o_id, d_tax, d_ytd, d_name, d_street_1, "
     "d_street_2, d_city, d_state, d_zip",
     "PRIMARY",
     {{{"d_w_id", 4}, {"d_id", 1}}},
     "d_w_id, d_id"},
    {Table::kCustomer,
     "c_w_id, c_d_id, c_id, c_balance, c_ytd_payment, c_payment_cnt, "
     "c_delivery_cnt, c_credit_lim, c_discount, c_since, c_first, c_middle, "
     "c_last, c_phone, c_credit, c_street_1, c_street_2, c_city, c_state, "
     "c_zip, c_data",
     "PRIMARY",
     {{{"c_w_id", 4}, {"c_d_id", 1}, {"c_id", 4}}},
     "c_w_id, c_d_id, c_id"},
    {Table::kCustomerByName,
     "c_w_id, c_d_id, c_last, c_first, c_id",
     "customer_name",
     {{{"c_w_id", 4}, {"c_d_id", 1}}},
     "c_w_id, c_d_id, c_last, c_first, c_id"},
    {Table::kHistory,
     "h_c_w_id, h_c_d_id, h_c_id, h_payment, h_w_id, h_d_id, h_date, "
     "h_amount, h_data",
     "PRIMARY",
     {{{"h_c_w_id", 4}, {"h_c_d_id", 1}, {"h_c_id", 4}, {"h_payment", 4}}},
     "h_c_w_id, h_c_d_id, h_c_id, h_payment"},
    {Table::kOrder,
     "o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, "
     "o_all_local",
     "PRIMARY",
     {{{"o_w_id", 4}, {"o_d_id", 1}, {"o_id", 4}}},
     "o_w_id, o_d_id, o_id"},
    {Table::kOrderByCustomer,
     "o_w_id, o_d_id, o_c_id, o_id",
     "orders_customer",
     {{{"o_w_id", 4}, {"o_d_id", 1}, {"o_c_id", 4}}},
     "o_w_id, o_d_id, o_c_id, o_id"},
    {Table::kNewOrder,
     "no_w_id, no_d_id, no_o_id",
     "PRIMARY",
     {{{"no_w_id", 4}, {"no_d_id", 1}, {"no_o_id", 4}}},
     "no_w_id, no_d_id, no_o_id"},
    {Table::kOrderLine,
     "ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, "
     "ol_delivery_d, ol_quantity, ol_amount, ol_dist_info",
     "PRIMARY",
     {{{"ol_w_id", 4}, {"ol_d_id", 1}, {"ol_o_id", 4}, {"ol_number", 1}}},
     "ol_w_id, ol_d_id, ol_o_id, ol_number"},
    {Table::kItem,
     "i_id, i_im_id, i_price, i_name, i_data",
     "PRIMARY",
     {{{"i_id", 4}}},
     "i_id"},
    {Table::kStock,
     "s_w_id, s_i_id, s_quantity, s_order_cnt, s_remote_cnt, s_ytd, "
     "s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05, s_dist_06, "
     "s_dist_07, s_dist_08, s_dist_09, s_dist_10, s_data",
     "PRIMARY",
     {{{"s_w_id", 4}, {"s_i_id", 4}}},
     "s_w_id, s_i_id"},
}};

uint32_t NumberOfBytes(std::string_view bytes) {
  uint32_t number = 0;
  for (const char byte : bytes) {
    number = number << 8 | static_cast<uint8_t>(byte);
  }
  return number;
}

}  // namespace

std::string ScanStatement(Table table, std::string_view prefix) {
  const ScanPlan& plan = kPlans[static_cast<size_t>(table)];
  std::string where;
  for (const KeyColumn& column : plan.key) {
    // What is left of the prefix is compared with each key.
    if (column.bytes == 0 || prefix.size() < column.bytes) break;
    where +=
        fmt::format("{}{} = {}", where.empty() ? " WHERE " : " AND ",
                    column.name, NumberOfBytes(prefix.substr(0, column.bytes)));
    prefix.remove_prefix(column.bytes);
  }
  return fmt::format("SELECT {} FROM {} FORCE INDEX ({}){} ORDER BY {}",
                     plan.columns, SqlTableName(table), plan.index, where,
                     plan.order);
}

}  // namespace waltax::tpcc
