// The stores of this process, alone and as the nodes of a table, and the one on
// a Redis server of the test's.

#include "workloads/ycsb/store.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/driver/redis/server.h"
#include "tests/workloads/ycsb/kv/fixture.h"
#include "tests/workloads/ycsb/memory/store.h"
#include "tests/workloads/ycsb/shards/fixture.h"
#include "tests/workloads/ycsb/store_suite.h"

namespace waltax::ycsb {
namespace {

std::unique_ptr<Store> OpenMemory(const DataOptions& data,
                                  std::shared_ptr<void>* /*keeper*/) {
  return std::make_unique<MemoryStore>(data);
}

std::unique_ptr<Store> OpenRocksdb(const DataOptions& data,
                                   std::shared_ptr<void>* keeper) {
  const auto database = std::make_shared<TemporaryDatabase>();
  *keeper = database;
  return NewKvStore(database->engine(), data, 100);
}

std::unique_ptr<Store> OpenNodesInMemory(const DataOptions& data,
                                         std::shared_ptr<void>* /*keeper*/) {
  return OpenMemoryNodes(data);
}

std::unique_ptr<Store> OpenNodesOfRocksdb(const DataOptions& data,
                                          std::shared_ptr<void>* keeper) {
  const auto databases = std::make_shared<Databases>();
  *keeper = databases;
  return OpenDatabases(data, databases.get());
}

std::unique_ptr<Store> OpenRedis(const DataOptions& data,
                                 std::shared_ptr<void>* keeper) {
  const auto server = std::make_shared<RedisServer>();
  *keeper = server;
  return NewRedisStore(server->place(), data, 1000);
}

INSTANTIATE_TEST_SUITE_P(
    Stores, StoreTest,
    testing::Values(StoreUnderTest{"memory", OpenMemory},
                    StoreUnderTest{"rocksdb", OpenRocksdb},
                    StoreUnderTest{"memory_nodes_by_range",
                                   OpenNodesInMemory,
                                   {kNodes, "range", {}, "direct"}},
                    StoreUnderTest{"memory_nodes_by_hash",
                                   OpenNodesInMemory,
                                   {kNodes, "hash", {}, "direct"}},
                    StoreUnderTest{"rocksdb_nodes_by_hash",
                                   OpenNodesOfRocksdb,
                                   {kNodes, "hash", {}, "direct"}},
                    StoreUnderTest{"redis", OpenRedis}),
    StoreName);

}  // namespace
}  // namespace waltax::ycsb
