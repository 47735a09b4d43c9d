// Fills the tables of a server: the threads that do it, and what it leaves to
// be done, the optimizer's statistics and MyRocks' memtables.
#pragma once

#include <cstdint>
#include <functional>
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

// Fails (usage) when the connection's database has any table: that may be
// someone's data set.
Status WantEmptyDatabase(Connection& connection);

struct ParallelLoad {
  ServerFlags server;
  int threads = 1;
  uint64_t steps = 0;
  // Does one of the steps 0, 1, ...; called on any thread, which has a
  // connection of its own, in about this order.
  std::function<Status(uint64_t step, Connection& connection)> load;
  // Called about every second on the calling thread.
  std::function<void()> report;
};

// Returns when all steps are done, or the first failure once every thread ended
// the step it was in.
Status RunParallelLoad(const ParallelLoad& load);

// What a load ends with: takes the statistics that the optimizer chooses
// indexes by anew, for `tables` ("linktable, counttable") of the connection's
// database, and with "myrocks" as `engine` writes the memtables to tables.
// Afterwards nothing that was loaded waits in memory; with `and_lzero` nothing
// waits in level 0 either. That takes SUPER, or one of waltax's own servers,
// which lend that right for this alone.
Status Settle(Connection& connection, const std::string& engine,
              const std::string& tables, bool and_lzero = false);

// The rows of a chunk for the tables of driver/table/. Rows of indexes are
// counted only: the server makes its own. Those of a table with a lead wait for
// Finish(), by it: in the order of their keys they are as many stretches of the
// table as there are leads, and MyRocks takes only stretches that no other load
// reaches into.
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
  // By table and lead: key, value, key, ..., each behind its length.
  std::map<std::pair<size_t, uint64_t>, std::string> held_;
  uint64_t known_time_ = 0;  // most rows have the same
  std::string known_time_text_;
};

// Creates the tables and returns with all rows in them, settled, with
// `and_lzero` below level 0. Fails (usage) when the database is not empty;
// after a failure it must be dropped.
Status LoadTables(const SqlPlace& place, const table::Load& load,
                  bool and_lzero, LoadedRows* loaded);

}  // namespace waltax::mariadb
