// The stores of this process, and what only the one on RocksDB does.

#include "ycsb/store.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/ycsb/kv/fixture.h"
#include "tests/ycsb/store_suite.h"
#include "ycsb/memory/store.h"

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
  return std::make_unique<KvStore>(database->engine(), data, 100);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest,
                         testing::Values(StoreUnderTest{"memory", OpenMemory},
                                         StoreUnderTest{"rocksdb",
                                                        OpenRocksdb}),
                         StoreName);

}  // namespace
}  // namespace waltax::ycsb
