// A table that is dealt out to several nodes, each a store of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workloads/mix/shards/owner.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// The stores of the nodes, in their order.
struct NodeStores {
  std::vector<std::unique_ptr<Store>> own;  // of its own rows
  std::vector<std::unique_ptr<Store>> all;  // of all rows, by redirection
};

// A session asks the owner of a key itself ("direct"), or has one node ask it
// ("redirect"): session i then asks node i modulo their number, always.
//
// A slice of it has "nodes"; of redirected ones "forwarded", "latency_local_us"
// and "latency_forwarded_us", too. Sessions count from `first_seed`. `values`
// outlive it. REQUIRES: the mix has one table, and each operation is about one
// row or is a scan (record.py); `nodes.own` is one for each node, and so is
// `nodes.all` with the route "redirect".
std::unique_ptr<Store> NewShardedStore(const Cut& cut, const Values& values,
                                       NodeStores nodes, uint64_t first_seed);

}  // namespace waltax::mix
