// The tables of driver/table/ on a server: their CREATE TABLE, and the scans of
// a check. A row is handed in (driver/sql/load.h) and out as RocksDB has
// it, so that one population and one check are for all stores.
#pragma once

#include <string>
#include <vector>

#include "driver/sql/connection.h"
#include "driver/status.h"
#include "driver/table/table.h"

namespace waltax::mariadb {

// All that a workload has, tables that are indexes among them.
using Tables = std::vector<table::Table>;

// One that exists is a failure. `engine` is "myrocks" or "innodb".
Status CreateTables(Connection& connection, const Tables& tables,
                    const std::string& engine);
// Adds the indexes that come after the load, from the rows that are there.
Status CreateIndexes(Connection& connection, const Tables& tables,
                     const std::string& engine);

// Of its key and its values, in their order.
std::string ColumnNames(const table::Table& table);

// Shows the rows of a table in the order in which the server has them, which is
// that of `lead` and of an index. An index is read for itself, never by way of
// its table. Fails (usage) when the server has another table than `tables` say.
Status ScanTable(Connection& connection, const Tables& tables, size_t table,
                 const table::KeyRange& range, const table::Visit& visit);

// The query of such a scan; `leads` are the numbers that the primary key begins
// with, of a table whose `lead` is another part than its key's first: "1, 2".
std::string ScanStatement(const table::Table& table,
                          const table::KeyRange& range,
                          const std::string& leads = "");

}  // namespace waltax::mariadb
