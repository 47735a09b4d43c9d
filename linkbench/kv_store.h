// The store on RocksDB with pessimistic transactions (layout: keys.h).
#pragma once

#include <rocksdb/options.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "linkbench/kv_tables.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// Thread-safe. The engine must outlive it and its sessions.
class KvStore : public Store {
 public:
  // The first AddNode gets an id above every stored node's and not below
  // `first_new_node`. An operation that met `max_retries` conflicts, or
  // still meets one after 10 s, fails.
  KvStore(RocksdbEngine& engine, uint64_t first_new_node, int max_retries);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Check(int threads, CheckResult* result) override;

 private:
  friend class KvSession;

  KvTables tables_;
  rocksdb::WriteOptions write_options_;
  int max_retries_;
  std::atomic<uint64_t> next_node_id_;
};

}  // namespace waltax::linkbench
