// One side of an isolation test: a transaction that can be held between its
// statements and its end.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <semaphore>
#include <thread>

#include "tpcc/kv/rows.h"

namespace waltax::tpcc {

// Runs an attempt on a thread of its own with rows of its own. Everything here
// goes by handshakes: what is awaited happens, or the party's end is noticed.
class Party {
 public:
  enum class End { kCommit, kRollback };

  explicit Party(const KvTables& tables)
      : rows_(tables, rocksdb::WriteOptions(), /*max_retries=*/1000,
              /*seed=*/1) {}
  ~Party() {
    if (thread_.joinable()) thread_.join();
  }
  Party(const Party&) = delete;
  Party& operator=(const Party&) = delete;

  KvRows& rows() { return rows_; }

  // Begins. `statements` may call Hold(); `end` says what comes after them.
  void Start(std::function<rocksdb::Status()> statements,
             End end = End::kCommit) {
    thread_ = std::thread([this, statements = std::move(statements), end] {
      uint32_t retries = 0;
      status_ = rows_.loop().Run(
          [&] {
            transaction_ = &rows_.loop().transaction();
            const rocksdb::Status status = statements();
            // Not a conflict, so the loop rolls back and does not try again.
            return status.ok() && end == End::kRollback
                       ? rocksdb::Status::Incomplete("rolled back by the test")
                       : status;
          },
          &retries);
      ended_ = true;
      held_.release();  // whoever awaits a hold learns that none will come
    });
  }
  // On the party's thread: waits for Release().
  rocksdb::Status Hold() {
    held_.release();
    go_on_.acquire();
    return rocksdb::Status::OK();
  }

  // On the test's thread. Returns when the party holds, or has ended.
  void AwaitHold() { held_.acquire(); }
  void Release() { go_on_.release(); }
  // Returns whether the party waits for another transaction's lock; false only
  // if it ended without.
  bool AwaitsALock() {
    while (!ended_) {
      const rocksdb::Transaction* transaction = transaction_;
      uint32_t column_family = 0;
      std::string key;
      if (transaction != nullptr &&
          !transaction->GetWaitingTxns(&column_family, &key).empty()) {
        return true;
      }
      std::this_thread::yield();
    }
    return false;
  }
  rocksdb::Status Join() {
    thread_.join();
    return status_;
  }

 private:
  KvRows rows_;
  std::thread thread_;
  std::counting_semaphore<> held_{0};
  std::counting_semaphore<> go_on_{0};
  // Lives as long as rows_, once there is one.
  std::atomic<const rocksdb::Transaction*> transaction_{nullptr};
  std::atomic<bool> ended_{false};
  rocksdb::Status status_;
};

}  // namespace waltax::tpcc
