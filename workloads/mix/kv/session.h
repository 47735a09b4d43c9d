// One client of a mix on RocksDB.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/mix/kv/store.h"

namespace waltax::mix {

class KvSession : public StepSession<rocksdb::Status> {
 public:
  KvSession(KvStore* store, uint64_t seed);

 private:
  using Status = rocksdb::Status;

  Status CommitSteps(const Operation& operation, const Step& first,
                     Conflicts* conflicts) override;
  std::string Explain(const Status& status, bool* fatal) override;
  Status Get(const RequestStep& at) override;
  Status ScanRows(const RequestStep& at) override;
  Status Write(const RequestStep& at, size_t turn) override;
  Status Change(const RequestStep& at, size_t turn) override;

  Status MultiGet(const RequestStep& at);
  // Reads a row outside of the transaction.
  Status Read(size_t table, std::string_view key, uint64_t number, bool* found);
  // Locks a row of the step's table and reads it into `row_`; its key stays in
  // `key_`.
  Status Lock(const RequestStep& at, uint64_t number, bool* found);
  // Each of a row that Lock() has found.
  Status Update(const RequestStep& at, size_t turn);
  Status Delete(const RequestStep& at, uint64_t number);
  // Encodes where a scan begins, and what all its keys begin with.
  void EncodeStart(const RequestStep& at);
  // New rows, and what the lock on a row covers.
  rocksdb::WriteBatch& Unlocked(const RequestStep& at) {
    return at.step.unlocked ? batch_ : loop_.batch();
  }
  Status PutEntries(const RequestStep& at, uint64_t number);  // of `new_row_`
  Status DeleteEntries(const RequestStep& at, uint64_t number);  // of `row_`

  KvStore& store_;
  const Codec& codec_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  // By the place of the step.
  std::vector<std::unique_ptr<rocksdb::Iterator>> scans_;
  rocksdb::WriteBatch batch_;  // of a step that is unlocked
  Row row_;                    // that is locked
  Row read_;
  std::string key_;
  // The key and the table of the row that a get has locked: `row_` is it.
  std::string held_;
  size_t held_table_ = kNone;
  std::string value_;  // of `row_`
  std::string bytes_;  // that are written
  std::string prefix_;
  std::vector<std::string> old_entries_;  // by the place among the indexes
  rocksdb::PinnableSlice pinned_;
  // Of a multi-get.
  std::vector<std::string> keys_;
  std::vector<rocksdb::Slice> slices_;
  std::vector<rocksdb::PinnableSlice> pinned_all_;
  std::vector<Status> statuses_;
};

}  // namespace waltax::mix
