#include <gtest/gtest.h>

#include <memory>

#include "kv/store.h"
#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax::kv {
namespace {

// As a process leaves it that is killed between the two phases.
void Prepare(rocksdb::TransactionDB* db, const rocksdb::WriteOptions& options) {
  const std::unique_ptr<rocksdb::Transaction> transaction(
      db->BeginTransaction(options));
  ASSERT_TRUE(transaction->Put("key", "value").ok());
  ASSERT_TRUE(transaction->SetName("waltax-1").ok());
  ASSERT_TRUE(transaction->Prepare().ok());
}

TEST(KvTransactions, WhatWasPreparedAndNotCommittedIsRolledBack) {
  const DataOptions data;
  waltax::TemporaryDatabase database(TableNames(data));
  Prepare(database.db(), database.engine().write_options());
  database.Close();
  database.Open();
  EXPECT_NE(database.db()->GetTransactionByName("waltax-1"), nullptr);
  Store store(database.engine(), data);
  ASSERT_TRUE(store.RollBackPrepared().ok());
  Prepare(database.db(),
          database.engine().write_options());  // name, lock: free
  std::string value;
  EXPECT_TRUE(database.db()->Get({}, "key", &value).IsNotFound());
}

}  // namespace
}  // namespace waltax::kv
