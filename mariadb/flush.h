// MyRocks' memtables, written to tables.
#pragma once

#include "mariadb/connection.h"
#include "mariadb/sql_status.h"

namespace waltax::mariadb {

// Afterwards nothing that was loaded waits in memory; with `and_lzero` nothing
// waits in level 0 either. It takes SUPER, or one of waltax's own servers,
// which lend that right for this alone.
SqlStatus FlushMemtables(Connection& connection, bool and_lzero);

}  // namespace waltax::mariadb
