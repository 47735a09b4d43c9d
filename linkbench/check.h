// The invariants of a LinkBench database, verified row by row.
#pragma once

#include "driver/status.h"
#include "driver/workload.h"
#include "linkbench/kv_tables.h"

namespace waltax::linkbench {

// Scans links, index and counts side by side on `threads` threads. For every
// (id1, type) the count must be the number of visible links, and table and
// index must hold the same links with the same visibility, time, version and
// data. Fails only when the database cannot be read. All workers must be idle.
Status CheckTables(const KvTables& tables, int threads, CheckResult* result);

}  // namespace waltax::linkbench
