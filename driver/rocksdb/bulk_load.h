// Fills an empty database on all cores: chunks of rows become sorted table
// files beside each other, which are ingested together at the end.
#pragma once

#include <rocksdb/db.h>

#include <vector>

#include "driver/status.h"
#include "driver/table/load.h"

namespace waltax {

// Loads into `families`, which are the load's tables in their order, and
// returns with all rows ingested. On failure no row is; the database must be
// removed.
Status RunBulkLoad(rocksdb::DB* db,
                   const std::vector<rocksdb::ColumnFamilyHandle*>& families,
                   const table::Load& load, LoadedRows* loaded);

}  // namespace waltax
