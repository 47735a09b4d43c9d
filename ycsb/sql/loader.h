// Fills an empty database of a server with records, on all cores.
#pragma once

#include <cstdint>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "ycsb/options.h"
#include "ycsb/population.h"
#include "ycsb/sql/schema.h"

namespace waltax::ycsb {

// Creates the table and returns with all records in it, everything out of
// memory and in tables. Fails (usage) when the database is not empty. `report`
// is called about every second, from the calling thread. On failure the
// database must be dropped.
Status LoadSql(const SqlPlace& place, const DataOptions& data, uint64_t seed,
               int threads, const ReportLoaded& report, RecordsLoaded* loaded);

}  // namespace waltax::ycsb
