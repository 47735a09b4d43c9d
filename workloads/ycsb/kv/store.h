// The store on RocksDB with pessimistic transactions (layout: row_codec.h).
#pragma once

#include <rocksdb/options.h>
#include <rocksdb/utilities/transaction_db.h>

#include <memory>
#include <string>
#include <vector>

#include "driver/rocksdb/engine.h"
#include "driver/status.h"
#include "workloads/ycsb/kv/row_codec.h"
#include "workloads/ycsb/population.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

// What a change of the bytes must increase: older data sets are then refused.
inline constexpr int kLayoutVersion = 1;

// "default" holds the data set's record.
inline const std::vector<std::string>& KvTableNames() {
  static const std::vector<std::string> names = {"default", "usertable"};
  return names;
}

// Fills an empty database, opened with KvTableNames(), on all cores. Returns
// with all records ingested. On failure the database must be removed.
Status LoadRocksdb(RocksdbEngine& engine, const Load& load,
                   RecordsLoaded* loaded);

// The engine must outlive it and its sessions.
class KvStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  KvStore(RocksdbEngine& engine, const DataOptions& data, int max_retries)
      : db_(engine.db()),
        table_(engine.column_family(1)),
        write_options_(engine.write_options()),
        codec_(data.FieldNames()),
        max_retries_(max_retries) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status ReadRows(const KeyRange& range, bool fields,
                  const VisitRow& visit) override;

 private:
  friend class KvSession;

  rocksdb::TransactionDB* db_;
  rocksdb::ColumnFamilyHandle* table_;
  rocksdb::WriteOptions write_options_;
  RowCodec codec_;
  int max_retries_;
};

}  // namespace waltax::ycsb
