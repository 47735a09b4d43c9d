#include "shop/kv/unsorted.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "driver/rocksdb/status.h"
#include "driver/rocksdb/transaction_loop.h"
#include "shop/kv/put_rows.h"

namespace waltax::shop {

namespace {

// A write carries this much: its own cost is then lost among the rows'.
constexpr size_t kBatchBytes = 1 << 20;

// Hands out steps to threads.
class Writers {
 public:
  Writers(RocksdbEngine& engine, const Population& population,
          const LoadOrder& order)
      : db_(engine.db()), population_(population), order_(order) {
    for (size_t i = 1; i <= 4; ++i) tables_.push_back(engine.column_family(i));
    past_the_wal_.disableWAL = true;
  }

  rocksdb::Status Run(int threads,
                      const std::function<void(const KvLoaded&)>& report,
                      KvLoaded* loaded);

 private:
  void Work();
  rocksdb::Status WriteStep(const LoadStep& step);
  rocksdb::Status Write(rocksdb::WriteBatch* batch) {
    const rocksdb::Status status = WriteUnlocked(db_, past_the_wal_, batch);
    batch->Clear();
    return status;
  }
  template <typename Row>
  rocksdb::Status Add(const Row& row, std::string* bytes,
                      rocksdb::WriteBatch* batch) {
    return PutRow(row, bytes,
                  [&](size_t place, const rocksdb::Slice& key,
                      const rocksdb::Slice& value) {
                    return batch->Put(tables_[place], key, value);
                  });
  }
  rocksdb::Status AddEntry(const Order& row, rocksdb::WriteBatch* batch) {
    return batch->Put(tables_[kIndexPlace],
                      EntryKey(row.customer_id, row.id).slice(), {});
  }

  rocksdb::TransactionDB* db_;
  std::vector<rocksdb::ColumnFamilyHandle*> tables_;
  rocksdb::WriteOptions past_the_wal_;
  const Population& population_;
  const LoadOrder& order_;
  std::atomic<size_t> next_ = 0;
  std::atomic<uint64_t> rows_ = 0;

  std::mutex mutex_;  // guards the rest
  std::condition_variable ended_;
  int running_ = 0;
  rocksdb::Status status_;
};

rocksdb::Status Writers::WriteStep(const LoadStep& step) {
  rocksdb::Status status;
  rocksdb::WriteBatch batch;
  std::string bytes;
  shop::WriteStep(population_, order_, step, [&](const auto& row) {
    status = Add(row, &bytes, &batch);
    if constexpr (std::is_same_v<decltype(row), const Order&>) {
      if (status.ok()) status = AddEntry(row, &batch);
    }
    if (status.ok() && batch.GetDataSize() >= kBatchBytes) {
      status = Write(&batch);
    }
    return status.ok();
  });
  if (status.ok()) status = Write(&batch);
  rows_ += step.end - step.first;
  return status;
}

void Writers::Work() {
  rocksdb::Status status;
  const size_t steps = order_.steps().size();
  for (size_t i = next_++; status.ok() && i < steps; i = next_++) {
    status = WriteStep(order_.steps()[i]);
  }
  if (!status.ok()) next_ = steps;
  const std::scoped_lock lock(mutex_);
  if (status_.ok()) status_ = std::move(status);
  --running_;
  ended_.notify_one();
}

rocksdb::Status Writers::Run(int threads,
                             const std::function<void(const KvLoaded&)>& report,
                             KvLoaded* loaded) {
  running_ = threads;
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(&Writers::Work, this);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, std::chrono::seconds(1),
                          [this] { return running_ == 0; })) {
    // Reporting writes to a pipe, which nobody may hurry to read.
    lock.unlock();
    report({rows_, 0});
    lock.lock();
  }
  lock.unlock();
  for (std::thread& worker : workers) worker.join();
  rocksdb::Status status = status_;
  if (status.ok()) status = db_->Flush(rocksdb::FlushOptions(), tables_);
  loaded->rows = rows_;
  return status;
}

}  // namespace

Status LoadUnsorted(RocksdbEngine& engine, const Population& population,
                    const LoadOrder& order, int threads,
                    const std::function<void(const KvLoaded&)>& report,
                    KvLoaded* loaded) {
  const rocksdb::Status status =
      Writers(engine, population, order).Run(threads, report, loaded);
  loaded->bytes = engine.DataBytes();
  return status.ok()
             ? Status::Ok()
             : Explained(status, "load the data set", engine.db()->GetName());
}

}  // namespace waltax::shop
