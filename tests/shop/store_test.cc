// The stores of this process.
#include "shop/store.h"

#include <gtest/gtest.h>

#include <memory>

#include "shop/kv/loader.h"
#include "shop/kv/store.h"
#include "tests/driver/rocksdb/temporary_database.h"
#include "tests/shop/memory_store.h"
#include "tests/shop/store_suite.h"

namespace waltax::shop {
namespace {

std::unique_ptr<Store> OpenMemory(std::shared_ptr<void>* /*keeper*/) {
  return std::make_unique<MemoryStore>(Population(kTestRows, kTestSeed));
}

std::unique_ptr<Store> OpenRocksdb(std::shared_ptr<void>* keeper) {
  const auto database = std::make_shared<TemporaryDatabase>(KvTableNames());
  *keeper = database;
  KvLoaded loaded;
  const Status status = Load(
      database->engine(), TestOptions().data, kTestSeed, 2,
      [](const KvLoaded&) {}, &loaded);
  EXPECT_TRUE(status.ok()) << status.message();
  return std::make_unique<KvStore>(database->engine(),
                                   Population(kTestRows, kTestSeed), 100);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest,
                         testing::Values(StoreUnderTest{"memory", OpenMemory},
                                         StoreUnderTest{"rocksdb",
                                                        OpenRocksdb}),
                         StoreName);

}  // namespace
}  // namespace waltax::shop
