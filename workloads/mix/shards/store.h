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
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/mix/store.h"
#include "workloads/mix/values.h"

namespace waltax::mix {

// How the rows of a table are dealt out to several nodes.
struct Cut {
  uint64_t nodes = 1;
  std::string owner = "range";  // or "hash"
  // The node whose part alone is loaded, from 0; empty: all nodes'.
  std::optional<uint64_t> node;

  [[nodiscard]] bool sharded() const { return nodes > 1; }
};

// Null of a table on one node; else what decides where its rows are, and the
// node that has them.
nlohmann::json ToJson(const Cut& cut, const std::optional<uint64_t>& node);

// Thread-safe.
class Owner {
 public:
  // REQUIRES: the table's keys are texts; of "range" they are in the order fnv.
  Owner(const Cut& cut, const Values& values);

  // The node, from 0, of a key or of a row.
  [[nodiscard]] size_t Of(std::string_view key) const;
  [[nodiscard]] size_t OfRow(const Values& values, uint64_t number) const;
  [[nodiscard]] bool by_range() const { return by_range_; }

 private:
  std::string before_;  // what is hashed with a key
  size_t nodes_;
  bool by_range_;
  std::vector<std::string> bounds_;  // first keys of the nodes from 1 on
};

// A session asks the node that owns a key. A slice of it has "nodes". `nodes`
// are in their order, and `values` outlive it. REQUIRES: the mix has one table,
// and each operation is about one row or is a scan (record.py).
std::unique_ptr<Store> NewShardedStore(
    const Cut& cut, const Values& values,
    std::vector<std::unique_ptr<Store>> nodes);

}  // namespace waltax::mix
