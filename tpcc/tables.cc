#include "tpcc/tables.h"

namespace waltax::tpcc {

namespace {

using table::KeyPart;

KeyPart WarehousePart(std::string_view name) { return {name, 4, "warehouse"}; }
KeyPart DistrictPart(std::string_view name) {
  return {name, 1, "district", kDistricts};
}
KeyPart CustomerPart(std::string_view name) {
  return {name, 4, "customer", kCustomersPerDistrict};
}
KeyPart OrderPart(std::string_view name) { return {name, 4, "order"}; }
KeyPart ItemPart(std::string_view name) { return {name, 4, "item", kItems}; }

// The number of a customer's payment makes a row of history one of its own. A
// client that knows only the specification's columns gives none: its rows get
// numbers that no payment reaches.
constexpr KeyPart kPayment = {
    .name = "payment",
    .bytes = 4,
    .sql = " DEFAULT (2147483648 + UUID_SHORT() % 2147483648)"};

std::vector<table::Table> AllTables() {
  using table::ColumnsOf;
  return {
      {"warehouse",
       "warehouse",
       "w_",
       {WarehousePart("id")},
       ColumnsOf<Warehouse>()},
      {"district",
       "district",
       "d_",
       {WarehousePart("w_id"), DistrictPart("id")},
       ColumnsOf<District>()},
      {"customer",
       "customer",
       "c_",
       {WarehousePart("w_id"), DistrictPart("d_id"), CustomerPart("id")},
       ColumnsOf<Customer>(),
       {{"customer_name", "c_w_id, c_d_id, c_last, c_first"}}},
      {.name = "customer_by_name",
       .server = "customer",
       .prefix = "c_",
       .key = {WarehousePart("w_id"),
               DistrictPart("d_id"),
               {"last"},
               {"first"},
               CustomerPart("id")},
       .columns = {},
       .index = "customer_name"},
      {"history",
       "history",
       "h_",
       {WarehousePart("c_w_id"), DistrictPart("c_d_id"), CustomerPart("c_id"),
        kPayment},
       ColumnsOf<History>()},
      {"orders",
       "orders",
       "o_",
       {WarehousePart("w_id"), DistrictPart("d_id"), OrderPart("id")},
       ColumnsOf<Order>(),
       {{"orders_customer", "o_w_id, o_d_id, o_c_id, o_id", true}}},
      {.name = "order_by_customer",
       .server = "orders",
       .prefix = "o_",
       .key = {WarehousePart("w_id"),
               DistrictPart("d_id"),
               CustomerPart("c_id"),
               {.name = "id", .bytes = 4, .largest_first = true}},
       .columns = {},
       .index = "orders_customer"},
      {"new_order",
       "new_orders",
       "no_",
       {WarehousePart("w_id"), DistrictPart("d_id"), OrderPart("o_id")},
       {}},
      {"order_line",
       "order_line",
       "ol_",
       {WarehousePart("w_id"),
        DistrictPart("d_id"),
        OrderPart("o_id"),
        {"number", 1, "line"}},
       ColumnsOf<OrderLine>()},
      {"item", "item", "i_", {ItemPart("id")}, ColumnsOf<Item>()},
      {"stock",
       "stock",
       "s_",
       {WarehousePart("w_id"), ItemPart("i_id")},
       ColumnsOf<Stock>()},
  };
}

}  // namespace

const std::vector<table::Table>& Tables() {
  static const std::vector<table::Table> tables = AllTables();
  return tables;
}

}  // namespace waltax::tpcc
