// A table that is dealt out to several nodes, each a store of its own.
//
// A session asks the owner of a key itself ("direct"), or has one node ask it
// ("redirect"): session i then asks node i modulo their number, always.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "workloads/ycsb/options.h"
#include "workloads/ycsb/shards/owner.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

struct ClientCounts;

// The stores of the nodes, in their order.
struct NodeStores {
  std::vector<std::unique_ptr<Store>> own;  // of its own records
  std::vector<std::unique_ptr<Store>> all;  // of all records, by redirection
};

// Its rows are read by Nodes().
class ShardedStore : public Store {
 public:
  // Sessions count from `first_seed`. REQUIRES: `nodes.own` is one for each
  // node, and so is `nodes.all` with the route "redirect".
  ShardedStore(const DataOptions& data, NodeStores nodes, uint64_t first_seed)
      : owner_(data.shards, data.keys()),
        redirects_(data.shards.redirects()),
        nodes_(std::move(nodes)),
        first_seed_(first_seed) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  std::vector<Store*> Nodes() override;
  // Adds "nodes", and "clients", the operations of each client; of redirected
  // ones "forwarded", "latency_local_us" and "latency_forwarded_us", too.
  void AddToSlice(nlohmann::json* slice) override;

 private:
  Owner owner_;
  bool redirects_;
  NodeStores nodes_;
  uint64_t first_seed_;
  std::mutex mutex_;  // of the next
  std::vector<std::shared_ptr<ClientCounts>> clients_;
};

}  // namespace waltax::ycsb
