// Rows into tables of a server, by LOAD DATA from memory.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "driver/sql/connection.h"
#include "driver/status.h"

namespace waltax::mariadb {

// A table and its columns, in the order in which rows give them.
struct BulkTable {
  std::string name;
  std::string columns;  // "id1, id2, link_type"
};

// One chunk of rows on one connection: any number of tables side by side. With
// MyRocks the rows become sorted files that are ingested by Finish()
// (rocksdb_bulk_load, with its secondary keys sorted by the server): the rows
// of a table must ascend by primary key within the chunk and must not
// interleave with those of another chunk. Rows for another table end the files
// of the one before. Chunks of a table wait for each other from their first
// round trip to the end of their files: two loads of a table at once would
// crash the server. With InnoDB they are inserted.
class BulkLoader {
 public:
  // REQUIRES: the connection is in autocommit mode, and nobody else's until
  // Finish(); the thread fills no other chunk meanwhile.
  BulkLoader(Connection* connection, const std::string& engine,
             const std::vector<BulkTable>& tables);

  // Starts a row of table `table` (its place in `tables`); Number(), Text() and
  // Null() then add its columns, EndRow() ends it.
  void BeginRow(size_t table) { current_ = &tables_[table]; }
  void Number(std::integral auto value) {
    const fmt::format_int digits(value);
    current_->lines.append(digits.data(), digits.size()).push_back('\t');
  }
  void Text(std::string_view bytes);
  void Null() { current_->lines.append("\\N\t"); }
  // Sends what has come together, when that is enough for a round trip.
  void EndRow();
  // The first failure stays, and later calls do nothing.
  [[nodiscard]] const Status& status() const { return status_; }
  // Sends the rest, and makes all rows visible.
  Status Finish();

 private:
  struct Table {
    BulkTable to;
    std::string lines = {};  // not sent yet
  };

  // Makes the rows that follow go into files of this table.
  void BeginFiles(const Table& table);
  // Ingests the files at hand.
  void EndFiles();
  void Send(Table* table);
  void Keep(const SqlStatus& status, const std::string& operation);

  Connection& connection_;
  bool sorted_files_;  // MyRocks
  std::vector<Table> tables_;
  Table* current_ = nullptr;
  const Table* filed_ = nullptr;  // whose files are being written
  std::unique_lock<std::mutex> turn_;
  Status status_;
};

}  // namespace waltax::mariadb
