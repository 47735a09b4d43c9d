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

#include "ycsb/options.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

struct ClientCounts;

// The stores of the nodes, in their order.
struct NodeStores {
  std::vector<std::unique_ptr<Store>> own;  // of its own records
  std::vector<std::unique_ptr<Store>> all;  // of all records, by redirection
};

// Thread-safe, but for what a Store is not and for AddToSlice().
class ShardedStore : public Store {
 public:
  // `data` is the whole table's; the own stores are each of its node's part.
  // Sessions count from `first_seed`. REQUIRES: `nodes.own` is one for each
  // node, and so is `nodes.all` with the route "redirect".
  ShardedStore(const DataOptions& data, NodeStores nodes, uint64_t first_seed);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(Totals* totals) override;
  // Node by node: what is on the wrong one is a violation.
  Status Check(const Expected& expected, int threads,
               CheckResult* result) override;
  void AddToSlice(nlohmann::json* slice) override;

 private:
  DataOptions data_;
  NodeStores nodes_;
  uint64_t first_seed_;
  std::mutex mutex_;  // of the next
  std::vector<std::shared_ptr<ClientCounts>> clients_;
};

}  // namespace waltax::ycsb
