// The store on RocksDB with pessimistic transactions (layout: keys.h).
//
// New-Order, Payment and Delivery lock every row that they write, or one that
// covers it, until they commit. All of them take their locks in one order, so
// that none can deadlock with another:
//
//   warehouse < the mark in new_order < district < customer < stock
//
// and by key within a table. What is never written (W_TAX, C_DISCOUNT, items,
// names) they read without locks. Order-Status and Stock-Level read one
// snapshot each and lock nothing (DEVIATION T11). Together that is
// serializable: a snapshot holds whole transactions only, and those that write
// the same rows follow one another.
#pragma once

#include <rocksdb/options.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tpcc/kv/rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// The engine must outlive it and its sessions.
class KvStore : public Store {
 public:
  // A transaction that met `max_retries` conflicts, or still meets one after
  // 10 s, is given up.
  KvStore(RocksdbEngine& engine, int max_retries)
      : tables_(engine),
        write_options_(engine.write_options()),
        max_retries_(max_retries) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(Table table, std::string_view prefix,
              const table::Visit& visit) const override;
  [[nodiscard]] std::string_view isolation() const override {
    return "serializable";
  }

 private:
  KvTables tables_;
  rocksdb::WriteOptions write_options_;
  int max_retries_;
};

}  // namespace waltax::tpcc
