// Fills the tables of a server: the threads that do it, and what it leaves to
// be done, the optimizer's statistics and MyRocks' memtables.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "driver/sql/connection.h"
#include "driver/sql/tables.h"
#include "driver/status.h"
#include "driver/table/load.h"

namespace waltax::mariadb {

// Fails (usage) when the connection's database has any table: that may be
// someone's data set.
Status WantEmptyDatabase(Connection& connection);

// Does load(step, connection) for the steps 0, 1, ... in about this order, on
// threads that have a connection each; and `report`, about every second, on the
// calling one. Returns when all steps are done, or the first failure once every
// thread ended the step it was in.
Status RunParallelLoad(
    const ServerFlags& server, int threads, uint64_t steps,
    const std::function<Status(uint64_t step, Connection& connection)>& load,
    const std::function<void()>& report);

// What a load ends with: takes the statistics that the optimizer chooses
// indexes by anew, for `tables` ("linktable, counttable") of the connection's
// database, and with "myrocks" as `engine` writes the memtables to tables.
// Afterwards nothing that was loaded waits in memory; with `and_lzero` nothing
// waits in level 0 either. That takes SUPER, or one of waltax's own servers,
// which lend that right for this alone.
Status Settle(Connection& connection, const std::string& engine,
              const std::string& tables, bool and_lzero = false);

// Creates the tables and returns with all rows in them, settled, with
// `and_lzero` below level 0. Fails (usage) when the database is not empty;
// after a failure it must be dropped.
Status LoadTables(const SqlPlace& place, const table::Load& load,
                  bool and_lzero, LoadedRows* loaded);

}  // namespace waltax::mariadb
