// One client of a mix on RocksDB.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/mix/kv/store.h"

namespace waltax::mix {

class KvSession : public StepSession {
 public:
  KvSession(KvStore* store, uint64_t seed);

 private:
  // What an operation knows of a step before it begins.
  struct Compiled {
    std::unique_ptr<rocksdb::Iterator> rows;  // of a scan
    bool covered = false;         // the index of a scan has all that it wants
    std::vector<size_t> indexes;  // that an update may change
    bool last = false;   // no other row and no other step reads what it writes
    bool plain = false;  // a batch of its own, of keys that need no lock
  };
  struct At : RequestStep {
    Compiled& compiled;
    uint32_t& written;
  };

  void Compile();
  void CompileStep(const Step& step, bool alone, Compiled* compiled);
  std::optional<Failure> CommitSteps(const Operation& operation,
                                     const Request& request, size_t first,
                                     size_t end, MixReply* reply) override;

  // Does a step in the transaction of the loop, or where it is plain in
  // `batch_`.
  rocksdb::Status Do(const At& at, MixReply* reply);
  rocksdb::Status Get(const At& at, MixReply* reply);
  rocksdb::Status MultiGet(const At& at, MixReply* reply);
  rocksdb::Status ScanRows(const At& at, MixReply* reply);
  // Inserts or puts.
  rocksdb::Status Write(const At& at);
  // Updates or deletes those that are there.
  rocksdb::Status Change(const At& at, MixReply* reply);
  // Each of a row that Lock() has found.
  rocksdb::Status Update(const At& at, size_t turn);
  rocksdb::Status Delete(const At& at, uint64_t number);

  // Reads a row outside of the transaction.
  rocksdb::Status Read(size_t table, uint64_t number, bool* found);
  rocksdb::Status ReadKey(size_t table, std::string_view key, uint64_t number,
                          bool* found);
  // Locks a row of the step's table and reads it into `row_`; its key stays in
  // `key_`.
  rocksdb::Status Lock(const At& at, uint64_t number, bool* found);
  // Encodes where a scan begins, and what all its keys begin with.
  void EncodeStart(const At& at);
  // New rows, and what the lock on a row covers.
  rocksdb::WriteBatch& Unlocked(const At& at) {
    return at.compiled.plain ? batch_ : loop_.batch();
  }
  // Of `row_`.
  rocksdb::Status PutEntries(const At& at, uint64_t number);
  rocksdb::Status DeleteEntries(const At& at, uint64_t number);

  KvStore& store_;
  const Codec& codec_;
  TransactionLoop loop_;
  rocksdb::ReadOptions read_options_;
  std::vector<std::vector<Compiled>> compiled_;  // by operation and step
  rocksdb::WriteBatch batch_;
  Row row_;
  Row read_;
  std::string key_;
  // The key and the table of the row that a get has locked: `row_` is it.
  std::string held_;
  size_t held_table_ = kNone;
  std::string value_;
  std::string entry_;
  std::string prefix_;
  std::vector<std::string> old_entries_;  // by the place among the indexes
  rocksdb::PinnableSlice pinned_;
  // Of a multi-get.
  std::vector<std::string> keys_;
  std::vector<rocksdb::Slice> slices_;
  std::vector<rocksdb::PinnableSlice> pinned_all_;
  std::vector<rocksdb::Status> statuses_;
};

}  // namespace waltax::mix
