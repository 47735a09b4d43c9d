// A table that is dealt out to several nodes, each a store of its own, and
// which node has a row.
//
// "hash" is what a published study of a sharded RocksDB used: libstdc++'s
// std::hash of "TABLE." and the key, modulo the number of nodes. "range" cuts
// the order of the keys where equal parts of the first rows' lie between: keys
// are hashes, hence every node gets as many rows, those that are inserted later
// included.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/mix/store.h"
#include "workloads/mix/values.h"

namespace waltax::mix {

// Thread-safe.
class Owner {
 public:
  // By "range" or by "hash". The values outlive it. REQUIRES: the table's keys
  // are texts; of "range" they are in the order fnv.
  Owner(uint64_t nodes, const std::string& owner, const Values& values);

  // The node, from 0, of a key or of a row.
  [[nodiscard]] size_t Of(std::string_view key) const;
  [[nodiscard]] size_t OfRow(uint64_t number) const;

 private:
  const Values& values_;
  size_t nodes_;
  bool by_range_;
  std::vector<std::string> bounds_;  // first keys of the nodes from 1 on
};

// A session asks the node that owns a key. A slice of it has "nodes". `nodes`
// are in their order. REQUIRES: the mix has one table, and each operation is
// about one row (record.py).
std::unique_ptr<Store> NewShardedStore(
    const std::string& owner, const Values& values,
    std::vector<std::unique_ptr<Store>> nodes);

}  // namespace waltax::mix
