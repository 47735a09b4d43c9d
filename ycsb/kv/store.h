// The store on RocksDB with pessimistic transactions (layout: row_codec.h).
#pragma once

#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/utilities/transaction_db.h>

#include <memory>
#include <string>
#include <vector>

#include "driver/rocksdb/engine.h"
#include "driver/rocksdb/transaction_loop.h"
#include "driver/status.h"
#include "ycsb/check.h"
#include "ycsb/kv/row_codec.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

// "default" holds the data set's record.
inline const std::vector<std::string>& KvTableNames() {
  static const std::vector<std::string> names = {"default", "usertable"};
  return names;
}

// Thread-safe. The engine, opened with KvTableNames(), must outlive it and its
// sessions.
class KvStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  KvStore(RocksdbEngine& engine, const DataOptions& data, int max_retries);

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(Totals* totals) override;
  Status Check(const Expected& expected, int threads,
               CheckResult* result) override;

 private:
  friend class KvSession;

  [[nodiscard]] OpenRows Rows() const;

  rocksdb::TransactionDB* db_;
  rocksdb::ColumnFamilyHandle* table_;
  rocksdb::WriteOptions write_options_;
  RecordModel records_;
  RowCodec codec_;
  int max_retries_;
};

}  // namespace waltax::ycsb
