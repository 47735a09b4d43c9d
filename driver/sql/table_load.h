// Fills the tables of driver/table/ on a server.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/sql/bulk_loader.h"
#include "driver/sql/connection.h"
#include "driver/sql/tables.h"
#include "driver/status.h"
#include "driver/table/load.h"

namespace waltax::mariadb {

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

// Creates the tables and returns with all rows in them, everything out of
// memory and in tables, with `and_lzero` below level 0. Each thread has its
// connection. Rows of indexes are counted only: the server makes its own. Fails
// (usage) when the database is not empty; after a failure it must be dropped.
Status LoadTables(const SqlPlace& place, const table::Load& load,
                  bool and_lzero, LoadedRows* loaded);

}  // namespace waltax::mariadb
