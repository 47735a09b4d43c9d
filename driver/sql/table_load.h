// Fills the tables of driver/table/ on a server.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/sql/bulk_loader.h"
#include "driver/sql/connection.h"
#include "driver/sql/tables.h"
#include "driver/status.h"
#include "driver/table/load.h"

namespace waltax::mariadb {

// The rows of a chunk. Rows of indexes are counted only: the server makes its
// own. Those of a table with a lead wait for Finish(), by it: in the order of
// their keys they are as many stretches of the table as there are leads, and
// MyRocks takes only stretches that no other load reaches into.
class TableSink : public table::RowSink {
 public:
  // Both outlive it.
  TableSink(const Tables& tables, Connection* connection,
            const std::string& engine);
  void Put(size_t table, std::string_view key, std::string_view value) override;
  // MyRocks sorts a secondary key among the rows that came before those of
  // another table: what does not fit one round trip must be in before them.
  void EndStretch() override { (void)loader_.Finish(); }
  [[nodiscard]] bool ok() const override { return loader_.status().ok(); }
  Status Finish();
  [[nodiscard]] const std::vector<uint64_t>& rows() const { return rows_; }

 private:
  void Add(size_t table, std::string_view key, std::string_view value);
  void AddColumn(const table::StoredColumn& column, std::string_view* value);
  void AddTime(uint64_t time);

  const Tables& tables_;
  BulkLoader loader_;
  std::vector<uint64_t> rows_;  // by table
  // By table and lead: bytes of key, key, bytes of value, value, ...
  std::map<std::pair<size_t, uint64_t>, std::string> held_;
  uint64_t known_time_ = 0;  // most rows have the same
  std::string known_time_text_;
};

// Creates the tables and returns with all rows in them, everything out of
// memory and in tables, with `and_lzero` below level 0. Each thread has its
// connection. Fails (usage) when the database is not empty; after a failure it
// must be dropped.
Status LoadTables(const SqlPlace& place, const table::Load& load,
                  bool and_lzero, LoadedRows* loaded);

}  // namespace waltax::mariadb
