// The tables of TPC-C, whatever keeps them: keys and columns.
//
// Beside what clause 1.3 has, CUSTOMER has an index by last name and ORDERS one
// by customer: the access paths of clauses 2.5.2.2 and 2.6.2.2. HISTORY gets
// the primary key that it has in RocksDB (keys.h): a table without one would
// get a hidden number in MyRocks, and its rows could not be compared. There are
// no foreign keys: MyRocks refuses them, and InnoDB would then do another work.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/table/table.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

// In the order of the enum.
const std::vector<table::Table>& Tables();

inline const table::Table& TableOf(Table table) {
  return Tables()[static_cast<size_t>(table)];
}

}  // namespace waltax::tpcc
