#include "shop/sql/tables.h"

#include <fmt/format.h>

#include <memory>

#include "mariadb/connection.h"
#include "mariadb/text_read.h"

namespace waltax::shop {

namespace {

void Take(const mariadb::TextRead& read, size_t column, std::string* text) {
  text->assign(read.Text(column));
}

uint32_t Small(const mariadb::TextRead& read, size_t column) {
  return static_cast<uint32_t>(read.Unsigned(column));
}

}  // namespace

template <typename Each>
Status SqlRows::Select(const char* select, const char* key,
                       const KeyRange& range, const Each& each) {
  std::unique_ptr<mariadb::Connection> connection;
  const Status opened = mariadb::Connection::Open(place_.server, &connection);
  if (!opened.ok()) return opened;
  // As text, so that the index is read alone where it is to be looked at.
  mariadb::TextRead rows(
      connection.get(),
      fmt::format("{} WHERE {} BETWEEN ? AND ?", select, key));
  mariadb::SqlStatus status = rows.Run(range.first, range.last);
  while (status.ok() && rows.Next(&status)) each(rows);
  return status.ok() ? Status::Ok()
                     : mariadb::Explained(status, "check the data set");
}

Status SqlRows::ForCustomers(const KeyRange& range,
                             const std::function<void(const Customer&)>& each) {
  Customer row;
  return Select(
      "SELECT customer_id, name, address, age FROM customers FORCE INDEX "
      "(PRIMARY)",
      "customer_id", range, [&](const mariadb::TextRead& read) {
        row.id = read.Unsigned(0);
        Take(read, 1, &row.name);
        Take(read, 2, &row.address);
        row.age = Small(read, 3);
        each(row);
      });
}

Status SqlRows::ForProducts(const KeyRange& range,
                            const std::function<void(const Product&)>& each) {
  Product row;
  return Select(
      "SELECT product_id, name, category, CAST(price * 100 AS UNSIGNED), "
      "CAST(quantity AS UNSIGNED), posted + 0, description, changes "
      "FROM products FORCE INDEX (PRIMARY)",
      "product_id", range, [&](const mariadb::TextRead& read) {
        row.id = read.Unsigned(0);
        Take(read, 1, &row.name);
        Take(read, 2, &row.category);
        row.price_cents = Small(read, 3);
        // The same bits: what is below 0 comes as 2^64 less.
        row.quantity = static_cast<int32_t>(Small(read, 4));
        row.posted = Small(read, 5);
        Take(read, 6, &row.description);
        row.changes = Small(read, 7);
        each(row);
      });
}

Status SqlRows::ForOrders(const KeyRange& range,
                          const std::function<void(const Order&)>& each) {
  Order row;
  return Select(
      "SELECT order_id, customer_id, product_id, quantity, "
      "UNIX_TIMESTAMP(ordered) FROM orders FORCE INDEX (PRIMARY)",
      "order_id", range, [&](const mariadb::TextRead& read) {
        row.id = read.Unsigned(0);
        row.customer_id = read.Unsigned(1);
        row.product_id = read.Unsigned(2);
        row.quantity = Small(read, 3);
        row.ordered_s = Small(read, 4);
        each(row);
      });
}

Status SqlRows::ForEntries(
    const KeyRange& range,
    const std::function<void(uint64_t, uint64_t)>& each) {
  return Select(
      "SELECT customer_id, order_id FROM orders FORCE INDEX (customer_index)",
      "customer_id", range, [&](const mariadb::TextRead& read) {
        each(read.Unsigned(0), read.Unsigned(1));
      });
}

}  // namespace waltax::shop
