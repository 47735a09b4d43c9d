// Fills an empty database of a server with students, on all cores.
#pragma once

#include <cstdint>
#include <functional>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "sqlops/options.h"
#include "sqlops/sql/schema.h"

namespace waltax::sqlops {

// What was loaded so far.
struct Loaded {
  uint64_t students = 0;
  uint64_t bytes = 0;  // sent
};

// Creates the table and returns with all students in it, everything out of
// memory and in tables, and, after that, the data set's record written. Fails
// (usage) when the database is not empty. `report` is called about every
// second, from the calling thread. On failure the database is left without a
// record; it must be dropped.
Status Load(const SqlPlace& place, const DataOptions& data, uint64_t seed,
            int threads, const std::function<void(const Loaded&)>& report,
            Loaded* loaded);

// Fails when the data set is incomplete, has another layout, or was loaded with
// other flags than these. `seed` is what it was loaded with.
Status VerifyDataSet(mariadb::Connection& connection, const SqlPlace& place,
                     const DataOptions& data, uint64_t* seed);

}  // namespace waltax::sqlops
