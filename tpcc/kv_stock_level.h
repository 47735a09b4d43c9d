// Stock-Level (clause 2.8) on RocksDB.
#pragma once

#include <cstdint>
#include <vector>

#include "tpcc/keys.h"
#include "tpcc/kv_multi_get.h"
#include "tpcc/kv_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class KvStockLevel {
 public:
  explicit KvStockLevel(KvRows* rows) : rows_(*rows) {}

  // All of it as of `snapshot`, without locks.
  rocksdb::Status Read(const StockLevelInput& input,
                       const rocksdb::Snapshot* snapshot,
                       StockLevelOutput* output);

 private:
  rocksdb::Status FindItems(const StockLevelInput& input,
                            const rocksdb::Snapshot* snapshot);
  rocksdb::Status CountLow(const StockLevelInput& input,
                           const rocksdb::Snapshot* snapshot,
                           StockLevelOutput* output);

  KvRows& rows_;
  Stored<District> district_;
  std::vector<uint32_t> items_;
  MultiGet<StockKey> stock_;
};

}  // namespace waltax::tpcc
