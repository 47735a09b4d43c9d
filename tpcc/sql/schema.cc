#include "tpcc/sql/schema.h"

#include <fmt/format.h>

#include <string>

#include "mariadb/server_engine.h"
#include "mariadb/settle.h"

namespace waltax::tpcc {

namespace {

// `keys` has a column family for each key of MyRocks: they are what its
// compactions and statistics are by.
struct Definition {
  Table table;
  std::string_view name;
  std::string_view columns;
  std::string_view keys;
};

// The number of a customer's payment makes a row of history one of its own. A
// client that knows only the specification's columns gives none: its rows get
// numbers that no payment reaches.
constexpr std::array<Definition, kSqlTables> kDefinitions = {{
    {Table::kWarehouse, "warehouse",
     "w_id INT UNSIGNED NOT NULL, w_tax DECIMAL(4,4) NOT NULL, "
     "w_ytd DECIMAL(12,2) NOT NULL, w_name VARCHAR(10) NOT NULL, "
     "w_street_1 VARCHAR(20) NOT NULL, w_street_2 VARCHAR(20) NOT NULL, "
     "w_city VARCHAR(20) NOT NULL, w_state CHAR(2) NOT NULL, "
     "w_zip CHAR(9) NOT NULL",
     "PRIMARY KEY (w_id) COMMENT 'cfname=cf_warehouse'"},
    {Table::kDistrict, "district",
     "d_w_id INT UNSIGNED NOT NULL, d_id TINYINT UNSIGNED NOT NULL, "
     "d_next_o_id INT UNSIGNED NOT NULL, d_tax DECIMAL(4,4) NOT NULL, "
     "d_ytd DECIMAL(12,2) NOT NULL, d_name VARCHAR(10) NOT NULL, "
     "d_street_1 VARCHAR(20) NOT NULL, d_street_2 VARCHAR(20) NOT NULL, "
     "d_city VARCHAR(20) NOT NULL, d_state CHAR(2) NOT NULL, "
     "d_zip CHAR(9) NOT NULL",
     "PRIMARY KEY (d_w_id, d_id) COMMENT 'cfname=cf_district'"},
    {Table::kCustomer, "customer",
     "c_w_id INT UNSIGNED NOT NULL, c_d_id TINYINT UNSIGNED NOT NULL, "
     "c_id INT UNSIGNED NOT NULL, c_balance DECIMAL(12,2) NOT NULL, "
     "c_ytd_payment DECIMAL(12,2) NOT NULL, "
     "c_payment_cnt INT UNSIGNED NOT NULL, "
     "c_delivery_cnt INT UNSIGNED NOT NULL, "
     "c_credit_lim DECIMAL(12,2) NOT NULL, c_discount DECIMAL(4,4) NOT NULL, "
     "c_since DATETIME(3), c_first VARCHAR(16) NOT NULL, "
     "c_middle CHAR(2) NOT NULL, c_last VARCHAR(16) NOT NULL, "
     "c_phone CHAR(16) NOT NULL, c_credit CHAR(2) NOT NULL, "
     "c_street_1 VARCHAR(20) NOT NULL, c_street_2 VARCHAR(20) NOT NULL, "
     "c_city VARCHAR(20) NOT NULL, c_state CHAR(2) NOT NULL, "
     "c_zip CHAR(9) NOT NULL, c_data VARCHAR(500) NOT NULL",
     "PRIMARY KEY (c_w_id, c_d_id, c_id) COMMENT 'cfname=cf_customer', "
     "KEY customer_name (c_w_id, c_d_id, c_last, c_first) "
     "COMMENT 'cfname=cf_customer_name'"},
    {Table::kHistory, "history",
     "h_c_w_id INT UNSIGNED NOT NULL, h_c_d_id TINYINT UNSIGNED NOT NULL, "
     "h_c_id INT UNSIGNED NOT NULL, h_payment INT UNSIGNED NOT NULL "
     "DEFAULT (2147483648 + UUID_SHORT() % 2147483648), "
     "h_w_id INT UNSIGNED NOT NULL, h_d_id TINYINT UNSIGNED NOT NULL, "
     "h_date DATETIME(3), h_amount DECIMAL(6,2) NOT NULL, "
     "h_data VARCHAR(24) NOT NULL",
     "PRIMARY KEY (h_c_w_id, h_c_d_id, h_c_id, h_payment) "
     "COMMENT 'cfname=cf_history'"},
    {Table::kOrder, "orders",
     "o_w_id INT UNSIGNED NOT NULL, o_d_id TINYINT UNSIGNED NOT NULL, "
     "o_id INT UNSIGNED NOT NULL, o_c_id INT UNSIGNED NOT NULL, "
     "o_entry_d DATETIME(3), o_carrier_id TINYINT UNSIGNED, "
     "o_ol_cnt TINYINT UNSIGNED NOT NULL, "
     "o_all_local TINYINT UNSIGNED NOT NULL",
     "PRIMARY KEY (o_w_id, o_d_id, o_id) COMMENT 'cfname=cf_orders', "
     "KEY orders_customer (o_w_id, o_d_id, o_c_id, o_id) "
     "COMMENT 'cfname=rev:cf_orders_customer'"},
    {Table::kNewOrder, "new_orders",
     "no_w_id INT UNSIGNED NOT NULL, no_d_id TINYINT UNSIGNED NOT NULL, "
     "no_o_id INT UNSIGNED NOT NULL",
     "PRIMARY KEY (no_w_id, no_d_id, no_o_id) "
     "COMMENT 'cfname=cf_new_orders'"},
    {Table::kOrderLine, "order_line",
     "ol_w_id INT UNSIGNED NOT NULL, ol_d_id TINYINT UNSIGNED NOT NULL, "
     "ol_o_id INT UNSIGNED NOT NULL, ol_number TINYINT UNSIGNED NOT NULL, "
     "ol_i_id INT UNSIGNED NOT NULL, ol_supply_w_id INT UNSIGNED NOT NULL, "
     "ol_delivery_d DATETIME(3), ol_quantity TINYINT UNSIGNED NOT NULL, "
     "ol_amount DECIMAL(6,2) NOT NULL, ol_dist_info CHAR(24) NOT NULL",
     "PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number) "
     "COMMENT 'cfname=cf_order_line'"},
    {Table::kItem, "item",
     "i_id INT UNSIGNED NOT NULL, i_im_id INT UNSIGNED NOT NULL, "
     "i_price DECIMAL(5,2) NOT NULL, i_name VARCHAR(24) NOT NULL, "
     "i_data VARCHAR(50) NOT NULL",
     "PRIMARY KEY (i_id) COMMENT 'cfname=cf_item'"},
    {Table::kStock, "stock",
     "s_w_id INT UNSIGNED NOT NULL, s_i_id INT UNSIGNED NOT NULL, "
     "s_quantity SMALLINT NOT NULL, s_order_cnt INT UNSIGNED NOT NULL, "
     "s_remote_cnt INT UNSIGNED NOT NULL, s_ytd BIGINT UNSIGNED NOT NULL, "
     "s_dist_01 CHAR(24) NOT NULL, s_dist_02 CHAR(24) NOT NULL, "
     "s_dist_03 CHAR(24) NOT NULL, s_dist_04 CHAR(24) NOT NULL, "
     "s_dist_05 CHAR(24) NOT NULL, s_dist_06 CHAR(24) NOT NULL, "
     "s_dist_07 CHAR(24) NOT NULL, s_dist_08 CHAR(24) NOT NULL, "
     "s_dist_09 CHAR(24) NOT NULL, s_dist_10 CHAR(24) NOT NULL, "
     "s_data VARCHAR(50) NOT NULL",
     "PRIMARY KEY (s_w_id, s_i_id) COMMENT 'cfname=cf_stock'"},
}};

// The names alone: "w_id, w_tax". A column's comma is followed by a space, one
// of a type is not.
std::string ColumnNames(std::string_view columns) {
  std::string names;
  while (!columns.empty()) {
    const size_t end = columns.find(", ");
    if (!names.empty()) names += ", ";
    names += columns.substr(0, columns.find(' '));
    columns.remove_prefix(end == columns.npos ? columns.size() : end + 2);
  }
  return names;
}

// InnoDB has no column families, and its tables need no such comments.
std::string KeysFor(const std::string& engine, std::string_view keys) {
  std::string kept(keys);
  if (engine == "myrocks") return kept;
  constexpr std::string_view kComment = " COMMENT '";
  for (size_t at = kept.find(kComment); at != kept.npos;
       at = kept.find(kComment)) {
    kept.erase(at, kept.find('\'', at + kComment.size()) + 1 - at);
  }
  return kept;
}

std::string CreateStatement(const Definition& table,
                            const std::string& engine) {
  return fmt::format(
      "CREATE TABLE {} ({}, {}) {} DEFAULT CHARSET=latin1 COLLATE=latin1_bin",
      table.name, table.columns, KeysFor(engine, table.keys),
      mariadb::TableClause(engine));
}

}  // namespace

std::string_view SqlTableName(Table table) {
  if (table == Table::kCustomerByName) table = Table::kCustomer;
  if (table == Table::kOrderByCustomer) table = Table::kOrder;
  for (const Definition& each : kDefinitions) {
    if (each.table == table) return each.name;
  }
  return "";
}

std::string NeededTables() {
  std::string needed;
  for (const Definition& table : kDefinitions) {
    needed +=
        fmt::format("{}{}: {}; {}", needed.empty() ? "" : "\n  ", table.name,
                    ColumnNames(table.columns), KeysFor("innodb", table.keys));
  }
  return needed;
}

Status CreateTables(mariadb::Connection& connection,
                    const std::string& engine) {
  for (const Definition& table : kDefinitions) {
    const mariadb::SqlStatus status =
        connection.Execute(CreateStatement(table, engine));
    if (!status.ok()) {
      return Explained(status, fmt::format("create table {}", table.name));
    }
  }
  return Status::Ok();
}

std::vector<mariadb::BulkTable> BulkTables() {
  std::vector<mariadb::BulkTable> tables;
  for (const Definition& table : kDefinitions) {
    tables.push_back({std::string(table.name), ColumnNames(table.columns)});
  }
  return tables;
}

size_t BulkTableOf(Table table) {
  for (size_t i = 0; i < kDefinitions.size(); ++i) {
    if (kDefinitions[i].table == table) return i;
  }
  return kNoBulkTable;
}

Status FinishTables(mariadb::Connection& connection,
                    const std::string& engine) {
  for (const Definition& table : kDefinitions) {
    const Status analyzed =
        mariadb::AnalyzeTables(connection, std::string(table.name));
    if (!analyzed.ok()) return analyzed;
  }
  if (engine != "myrocks") return Status::Ok();
  const mariadb::SqlStatus status =
      mariadb::FlushMemtables(connection, /*and_lzero=*/true);
  return status.ok() ? Status::Ok()
                     : Explained(status, "flush what was loaded");
}

}  // namespace waltax::tpcc
