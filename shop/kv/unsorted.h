// Rows in any order into RocksDB, through its memtables.
#pragma once

#include <functional>

#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "shop/kv/loader.h"
#include "shop/load_order.h"

namespace waltax::shop {

// Writes all steps on `threads` threads, each order with its entry in the
// index, past the WAL; then flushes.
Status LoadUnsorted(RocksdbEngine& engine, const Population& population,
                    const LoadOrder& order, int threads,
                    const std::function<void(const KvLoaded&)>& report,
                    KvLoaded* loaded);

}  // namespace waltax::shop
