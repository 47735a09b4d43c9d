// What can be read of an open RocksDB: what it counts, and what spoils that.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/statistics.h>

#include <string>
#include <vector>

#include "driver/engine.h"
#include "driver/flags.h"

namespace waltax {

// Whole sentences about options that make the label on a number wrong.
std::vector<std::string> RocksdbWarnings(const EngineFlags& flags,
                                         const rocksdb::DBOptions& effective);

// What RocksDB counts of its log and its writes at no cost, and with
// `statistics` (null: none) a fixed list of tickers, by the tickers' names,
// zero or not. A name that this RocksDB does not have is left out. Without
// `statistics`, bytes that were flushed and compacted are some KiB too few.
Counters ReadCounters(
    rocksdb::DB* db,
    const std::vector<rocksdb::ColumnFamilyHandle*>& column_families,
    const rocksdb::Statistics* statistics);

}  // namespace waltax
