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

// One worker's access to the store. Buffers, the transaction loop and the
// iterator live as long as the session, so that an operation allocates next to
// nothing.
class KvSession : public Session {
 public:
  KvSession(KvStore* store, uint64_t seed);

  Reply Read(std::string_view key, std::optional<uint32_t> field,
             Row* row) override;
  Reply Update(std::string_view key, const Values& values) override;
  Reply Replace(std::string_view key, const Values& values) override;
  Reply ReadModifyWrite(std::string_view key, std::optional<uint32_t> field,
                        const Values& values, Row* row) override;
  Reply Insert(std::string_view key, const Values& values) override;
  Reply Scan(std::string_view key, uint32_t limit,
             std::optional<uint32_t> field) override;

 private:
  // Locks the record, changes its fields, and adds to its counter.
  Reply Change(const char* operation, std::string_view key,
               const Values& values, uint64_t counted);
  rocksdb::Status TryChange(std::string_view key, const Values& values,
                            uint64_t counted, bool* found);
  // Writes a whole record that nobody else writes in the meantime.
  Reply Put(const char* operation, std::string_view key, const Values& values);
  Reply Failed(const char* operation, const rocksdb::Status& status,
               Reply reply);

  KvStore& store_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  rocksdb::WriteBatch batch_;
  std::unique_ptr<rocksdb::Iterator> rows_;
  rocksdb::PinnableSlice pinned_;
  std::string old_row_;
  std::string new_row_;
  Row changed_;
  Row scanned_;
  std::string error_;
};

}  // namespace waltax::ycsb
