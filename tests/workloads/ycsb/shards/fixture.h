// Tables that are dealt out to three nodes, in memory and in RocksDB.
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "tests/workloads/ycsb/kv/fixture.h"
#include "tests/workloads/ycsb/memory/store.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

inline constexpr uint64_t kNodes = 3;

inline DataOptions OnNodes(DataOptions data, const char* owner) {
  data.shards.nodes = kNodes;
  data.shards.owner = owner;
  return data;
}

inline DataOptions PartOf(DataOptions data, uint64_t node) {
  data.shards.node = node;
  return data;
}

inline std::unique_ptr<Store> Sharded(const DataOptions& data,
                                      std::vector<std::unique_ptr<Store>> own) {
  NodeStores nodes;
  nodes.own = std::move(own);
  return NewShardedStore(data, std::move(nodes), 1);
}

inline std::unique_ptr<Store> OpenMemoryNodes(const DataOptions& data) {
  std::vector<std::unique_ptr<Store>> own;
  for (uint64_t node = 0; node < kNodes; ++node) {
    own.push_back(std::make_unique<MemoryStore>(PartOf(data, node)));
  }
  return Sharded(data, std::move(own));
}

using Databases = std::array<TemporaryDatabase, kNodes>;

inline std::unique_ptr<Store> OpenDatabases(const DataOptions& data,
                                            Databases* databases) {
  std::vector<std::unique_ptr<Store>> own;
  for (TemporaryDatabase& database : *databases) {
    own.push_back(NewKvStore(database.engine(), data, 100));
  }
  return Sharded(data, std::move(own));
}

}  // namespace waltax::ycsb
