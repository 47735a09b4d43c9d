// A mix on RocksDB: a column family for each table and each index.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "driver/rocksdb/engine.h"
#include "workloads/mix/codec.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// Thread-safe. The engine, opened with the families of the mix, and the values
// outlive it.
class KvStore : public Store {
 public:
  KvStore(RocksdbEngine& engine, const Values& values)
      : engine_(engine), values_(values), codec_(values) {}

  // As who coordinates them does with transactions that a killed process had
  // prepared, and nobody was told of: they keep their names and locks.
  Status Recover() override;
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(size_t table, const Visit& visit) override;
  Status ScanIndex(size_t table, size_t index,
                   const VisitEntry& visit) override;
  Status Load(int threads, const RowReport& report, uint64_t* rows,
              uint64_t* bytes) override;

  // Of a table, or of one of its indexes.
  [[nodiscard]] rocksdb::ColumnFamilyHandle* family(
      size_t table, size_t index = kNone) const {
    return engine_.column_family(values_.mix().tables[table].family + index +
                                 1);
  }

 private:
  friend class KvSession;

  RocksdbEngine& engine_;
  const Values& values_;
  Codec codec_;
  std::atomic<uint64_t> prepared_ = 0;  // transactions, of two phases
};

}  // namespace waltax::mix
