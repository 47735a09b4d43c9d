// The tables of driver/table/ in RocksDB: a column family each, behind
// "default".
#pragma once

#include <rocksdb/db.h>

#include <string>
#include <vector>

#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "driver/table/load.h"
#include "driver/table/table.h"

namespace waltax {

// What RocksdbEngine::Open() is to open.
std::vector<std::string> ColumnFamilies(
    const std::vector<table::Table>& tables);

// Fills an empty database on all cores: chunks of rows become sorted table
// files beside each other, which are ingested together at the end. On failure
// no row is; the database must be removed. The load's tables are the engine's
// column families behind "default", in their order.
Status LoadTables(RocksdbEngine& engine, const table::Load& load,
                  LoadedRows* loaded);

// Each shows the rows of a column family in the order of their keys: those of a
// range, or from `first` on and before `end`, which may be empty for none.
Status ScanTable(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                 const table::KeyRange& range, const table::Visit& visit);
Status ScanKeys(rocksdb::DB* db, rocksdb::ColumnFamilyHandle* family,
                std::string_view first, std::string_view end,
                const table::Visit& visit);

}  // namespace waltax
