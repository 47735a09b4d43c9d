// What a load begins with, the threads that fill a database, and what they
// leave to be done: the optimizer's statistics, and MyRocks' memtables.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/sql/connection.h"
#include "driver/status.h"

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

// Takes the statistics that the optimizer chooses indexes by anew, for `tables`
// ("linktable, counttable") of the connection's database. Fails, too, when the
// server says of a table that it could not: it says so in a row of the result,
// and not by an error.
Status AnalyzeTables(Connection& connection, const std::string& tables);

// What a load ends with: analyzes the tables and, with "myrocks" as `engine`,
// writes the memtables to tables. Afterwards nothing that was loaded waits in
// memory; with `and_lzero` nothing waits in level 0 either. That takes SUPER,
// or one of waltax's own servers, which lend that right for this alone.
Status Settle(Connection& connection, const std::string& engine,
              const std::string& tables, bool and_lzero = false);

}  // namespace waltax::mariadb
