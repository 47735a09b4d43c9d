// The rows of TPC-C in RocksDB.
#pragma once

#include "driver/rocksdb/rows.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

using KvTables = waltax::KvTables<Table, Tables>;
using KvRows = waltax::KvRows<KvTables>;

}  // namespace waltax::tpcc
