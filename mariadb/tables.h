// The tables of driver/table/ on a server: their CREATE TABLE, their rows in a
// bulk load, and the scans of a check. A row is handed in and out as RocksDB
// has it, so that one population and one check are for all stores.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/status.h"
#include "driver/table/table.h"
#include "mariadb/bulk_loader.h"
#include "mariadb/connection.h"

namespace waltax::mariadb {

// All that a workload has, tables that are indexes among them.
using Tables = std::vector<table::Table>;

// "id INT UNSIGNED NOT NULL, ...; PRIMARY KEY (id), ...": what every command
// but a load wants to find, a line for each table of the server.
std::string NeededTables(const Tables& tables);

// One that exists is a failure. `engine` is "myrocks" or "innodb".
Status CreateTables(Connection& connection, const Tables& tables,
                    const std::string& engine);

// What a load fills. The server fills indexes itself.
std::vector<BulkTable> BulkTables(const Tables& tables);

// Hands rows to a loader of BulkTables().
class BulkRows {
 public:
  // Both outlive it.
  BulkRows(const Tables& tables, BulkLoader* loader);
  // Adds a row of a table by its place in `tables`. REQUIRES: it is no index.
  void Add(size_t table, std::string_view key, std::string_view value);

 private:
  void AddColumn(const table::StoredColumn& column, std::string_view* value);
  void AddTime(uint64_t time);

  const Tables& tables_;
  BulkLoader& loader_;
  std::vector<size_t> places_;
  uint64_t known_time_ = 0;  // most rows have the same
  std::string known_time_text_;
};

// Shows every row of a table whose key begins with `prefix`, in the order of
// their keys. An index is read for itself, never by way of its table. Fails
// (usage) when the server has another table than `tables` say.
Status ScanTable(Connection& connection, const Tables& tables, size_t table,
                 std::string_view prefix,
                 const std::function<void(std::string_view key,
                                          std::string_view value)>& visit);

// The query of such a scan.
std::string ScanStatement(const table::Table& table, std::string_view prefix);

}  // namespace waltax::mariadb
