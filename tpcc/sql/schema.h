// TPC-C as tables of a server, with the columns of clause 1.3.
//
// Beside what the clause has, CUSTOMER has an index by last name and ORDERS one
// by customer: the access paths of clauses 2.5.2.2 and 2.6.2.2. HISTORY gets
// the primary key that it has in RocksDB (keys.h): a table without one would
// get a hidden number in MyRocks, and its rows could not be compared. The
// column that this takes has a default, so that other TPC-C clients can insert.
// There are no foreign keys: MyRocks refuses them, and InnoDB would then do
// another work.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "driver/status.h"
#include "mariadb/bulk_loader.h"
#include "mariadb/connection.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

// What a change of the tables must increase: older data sets are then refused.
inline constexpr int kSqlLayoutVersion = 1;

inline constexpr size_t kSqlTables = 9;

// Where a table's rows are: an index is a part of the table it belongs to.
std::string_view SqlTableName(Table table);

// One that exists is a failure. `engine` is "myrocks" or "innodb".
Status CreateTables(mariadb::Connection& connection, const std::string& engine);

// The tables, their columns and their keys, a line each: what every command but
// a load wants to find.
std::string NeededTables();

// What a load fills, and the place of each table in it; tables that the server
// fills by itself have none.
std::vector<mariadb::BulkTable> BulkTables();
inline constexpr size_t kNoBulkTable = kSqlTables;
size_t BulkTableOf(Table table);

// After a load: statistics for the optimizer, and no data in memory or in level
// 0 that each clone would have to write again.
Status FinishTables(mariadb::Connection& connection, const std::string& engine);

}  // namespace waltax::tpcc
