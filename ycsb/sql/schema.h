// The table of records on a server, as the original's JDBC binding has it.
#pragma once

#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "ycsb/options.h"

namespace waltax::ycsb {

// What a change of the schema must increase: older data sets are then refused.
inline constexpr int kSqlSchemaVersion = 1;

// A database of a server, and the engine of its tables.
struct SqlPlace {
  mariadb::ServerFlags server;
  std::string engine;  // "myrocks" or "innodb"

  // "database waltax on /tmp/s.sock", for messages.
  [[nodiscard]] std::string Name() const {
    return "database " + server.database + " on " + server.socket;
  }
};

// Creates usertable: the key, the counter of read-modify-writes, the fields.
Status CreateTable(mariadb::Connection& connection, const SqlPlace& place,
                   const DataOptions& data);

// Has the server look at the table for its optimizer, and write what it has in
// memory to tables.
Status Settle(mariadb::Connection& connection, const SqlPlace& place);

}  // namespace waltax::ycsb
