// Fills an empty database of a server with a shop, on all cores.
#pragma once

#include <cstdint>
#include <functional>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "shop/options.h"
#include "shop/sql/schema.h"

namespace waltax::shop {

// What was loaded so far: rows of the three tables.
struct SqlLoaded {
  uint64_t rows = 0;
  uint64_t bytes = 0;  // sent
};

// Creates the tables and returns with all rows in them, everything out of
// memory and in tables, and, after that, the data set's record written. Fails
// (usage) when the database is not empty. Unsorted rows are inserted, also by
// MyRocks, so many for each transaction as one LOAD DATA has. `report` is
// called about every second, from the calling thread. On failure the database
// is left without a record; it must be dropped.
Status LoadSql(const SqlPlace& place, const DataOptions& data, uint64_t seed,
               int threads, const std::function<void(const SqlLoaded&)>& report,
               SqlLoaded* loaded);

// Fails when the data set is incomplete, has another layout, or was loaded with
// other flags than these. `seed` is what it was loaded with.
Status VerifySqlDataSet(mariadb::Connection& connection, const SqlPlace& place,
                        const DataOptions& data, uint64_t* seed);

}  // namespace waltax::shop
