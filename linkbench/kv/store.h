// The store on RocksDB with pessimistic transactions (layout: tables.h), on the
// column families of a LinkBench database.
#pragma once

#include <rocksdb/options.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/rows.h"
#include "driver/status.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

using KvTables = waltax::KvTables<Table, Tables>;
using KvRows = waltax::KvRows<KvTables>;

// Thread-safe. The engine must outlive it and its sessions.
class KvStore : public Store {
 public:
  // The first AddNode gets an id above every stored node's and not below
  // `first_new_node`. An operation that met `max_retries` conflicts, or
  // still meets one after 10 s, fails.
  KvStore(RocksdbEngine& engine, uint64_t first_new_node, int max_retries);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(Table table, const table::KeyRange& range,
              const table::Visit& visit) const override;

 private:
  friend class KvSession;

  KvTables tables_;
  rocksdb::WriteOptions write_options_;
  int max_retries_;
  std::atomic<uint64_t> next_node_id_;
};

}  // namespace waltax::linkbench
