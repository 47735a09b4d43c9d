// What a load leaves to be done: the optimizer's statistics, and MyRocks'
// memtables.
#pragma once

#include <string>

#include "driver/sql/connection.h"
#include "driver/status.h"

namespace waltax::mariadb {

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
