// The invariants of a LinkBench database on a server, verified row by row.
#pragma once

#include "driver/status.h"
#include "driver/workload.h"
#include "linkbench/sql_schema.h"

namespace waltax::linkbench {

// Reads linktable by its primary key and by id1_type, and counttable, side by
// side on `threads` threads with three connections each, and verifies what
// CheckRanges() says. All workers must be idle.
Status CheckSqlTables(const SqlPlace& place, int threads, CheckResult* result);

}  // namespace waltax::linkbench
