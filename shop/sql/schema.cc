#include "shop/sql/schema.h"

#include <fmt/format.h>

#include "mariadb/server_engine.h"

namespace waltax::shop {

namespace {

struct TableText {
  const char* name;
  const char* columns;
  // Of its keys, each in a column family of its own on MyRocks.
  const char* primary;
  const char* index;  // "": none
};

// Types whose bytes add up to the study's (shop/rows.h).
constexpr TableText kTables[] = {
    {"customers",
     "customer_id BIGINT UNSIGNED NOT NULL, name VARCHAR(48) NOT NULL, "
     "address VARCHAR(125) NOT NULL, age INT UNSIGNED NOT NULL",
     "customer_id", ""},
    {"products",
     "product_id BIGINT UNSIGNED NOT NULL, name VARCHAR(64) NOT NULL, "
     "category VARCHAR(32) NOT NULL, price DECIMAL(10,2) NOT NULL, "
     "quantity INT NOT NULL, posted DATE NOT NULL, "
     "description VARCHAR(1024) NOT NULL, changes INT UNSIGNED NOT NULL",
     "product_id", ""},
    {"orders",
     "order_id BIGINT UNSIGNED NOT NULL, customer_id BIGINT UNSIGNED NOT NULL, "
     "product_id BIGINT UNSIGNED NOT NULL, quantity INT UNSIGNED NOT NULL, "
     "ordered TIMESTAMP NOT NULL DEFAULT '2019-01-01 00:00:00'",
     "order_id", "customer_id, order_id"}};

std::string Family(const SqlPlace& place, const std::string& name) {
  return place.engine == "myrocks"
             ? fmt::format(" COMMENT 'cfname=cf_{}'", name)
             : "";
}

std::string CreateText(const SqlPlace& place, const TableText& table) {
  std::string keys = fmt::format("PRIMARY KEY ({}){}", table.primary,
                                 Family(place, table.name));
  if (*table.index != '\0') {
    keys += fmt::format(", KEY customer_index ({}){}", table.index,
                        Family(place, "customer_index"));
  }
  return fmt::format(
      "CREATE TABLE {} ({}, {}) {} DEFAULT CHARSET=latin1 COLLATE=latin1_bin",
      table.name, table.columns, keys, mariadb::TableClause(place.engine));
}

}  // namespace

Status CreateTables(mariadb::Connection& connection, const SqlPlace& place) {
  for (const TableText& table : kTables) {
    const mariadb::SqlStatus status =
        connection.Execute(CreateText(place, table));
    if (!status.ok()) {
      return mariadb::Explained(status,
                                "create the tables in the " + place.Name());
    }
  }
  return Status::Ok();
}

}  // namespace waltax::shop
