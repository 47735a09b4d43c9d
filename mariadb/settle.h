// What a load leaves to be done: the optimizer's statistics, and MyRocks'
// memtables.
#pragma once

#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "mariadb/sql_status.h"

namespace waltax::mariadb {

// Takes the statistics that the optimizer chooses indexes by anew, for `tables`
// ("linktable, counttable") of the connection's database. Fails, too, when the
// server says of a table that it could not: it says so in a row of the result,
// and not by an error.
Status AnalyzeTables(Connection& connection, const std::string& tables);

// Writes MyRocks' memtables to tables. Afterwards nothing that was loaded waits
// in memory; with `and_lzero` nothing waits in level 0 either. It takes SUPER,
// or one of waltax's own servers, which lend that right for this alone.
SqlStatus FlushMemtables(Connection& connection, bool and_lzero);

}  // namespace waltax::mariadb
