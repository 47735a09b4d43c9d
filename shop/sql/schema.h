// The tables of the shop on a server.
#pragma once

#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"

namespace waltax::shop {

// A database of a server, and the engine of its tables.
struct SqlPlace {
  mariadb::ServerFlags server;
  std::string engine;  // "myrocks" or "innodb"

  // "database waltax on /tmp/s.sock", for messages.
  [[nodiscard]] std::string Name() const {
    return "database " + server.database + " on " + server.socket;
  }
};

// Creates customers, products, and orders with their index by customer.
Status CreateTables(mariadb::Connection& connection, const SqlPlace& place);

// Has the server look at the tables for its optimizer, and write what it has in
// memory to them.
Status Settle(mariadb::Connection& connection, const SqlPlace& place);

}  // namespace waltax::shop
