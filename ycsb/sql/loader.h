// Fills an empty database of a server with records, on all cores.
#pragma once

#include <cstdint>
#include <functional>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "ycsb/options.h"
#include "ycsb/sql/schema.h"

namespace waltax::ycsb {

// What was loaded so far.
struct SqlLoaded {
  uint64_t records = 0;
  uint64_t bytes = 0;  // sent
};

// Creates the table and returns with all records in it, everything out of
// memory and in tables, and, after that, the data set's record written. Fails
// (usage) when the database is not empty. `report` is called about every
// second, from the calling thread. On failure the database is left without a
// record; it must be dropped.
Status LoadSql(const SqlPlace& place, const DataOptions& data, uint64_t seed,
               int threads, const std::function<void(const SqlLoaded&)>& report,
               SqlLoaded* loaded);

// Fails when the data set is incomplete, has another layout, or was loaded with
// other flags than these.
Status VerifySqlDataSet(mariadb::Connection& connection, const SqlPlace& place,
                        const DataOptions& data);

}  // namespace waltax::ycsb
