#include "kv/workload.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "driver/rocksdb/status.h"
#include "kv/check.h"

namespace waltax::kv {
namespace {

class KvWorker : public Worker {
 public:
  KvWorker(std::shared_ptr<const Writes> writes, Store* store,
           AcknowledgedCounter* batches, uint64_t seed)
      : writes_(std::move(writes)), store_(store), batches_(*batches) {
    const Options& options = writes_->options();
    if (store_ == nullptr || options.transactions == "none") return;
    transactions_ = store_->NewTransactions(seed);
    two_phase_ = options.two_phase.value_or(false) && store_->logs();
  }

  // Which keys are next is known only when they are taken.
  void Draw() override {}
  Outcome Execute() override;

 private:
  // Puts the keys of a batch by `put(family, key, value)`, until one fails.
  template <typename Put>
  rocksdb::Status Fill(uint64_t batch, const Put& put);
  rocksdb::Status Write(uint64_t batch, Conflicts* conflicts);
  rocksdb::Status Prepare(uint64_t batch);

  std::shared_ptr<const Writes> writes_;
  Store* store_;
  AcknowledgedCounter& batches_;
  rocksdb::WriteBatch batch_;
  std::unique_ptr<TransactionLoop> transactions_;  // null: batches
  bool two_phase_ = false;
  std::string key_;
  std::string value_;
  std::string error_;
};

Outcome KvWorker::Execute() {
  Outcome outcome;
  const uint64_t batch = batches_.Take();
  if (store_ != nullptr) {
    Conflicts conflicts;
    const rocksdb::Status status = Write(batch, &conflicts);
    outcome.retries = conflicts.total();
    if (!status.ok()) {
      error_ = fmt::format("write given up: {}", status.ToString());
      outcome.error = &error_;
      outcome.fatal = IsFatal(status);
      return outcome;
    }
  }
  batches_.Acknowledge(batch);
  outcome.found = 1;
  outcome.committed = true;
  return outcome;
}

rocksdb::Status KvWorker::Write(uint64_t batch, Conflicts* conflicts) {
  if (!transactions_) {
    batch_.Clear();
    const rocksdb::Status filled =
        Fill(batch, [&](auto... put) { return batch_.Put(put...); });
    return filled.ok() ? store_->Write(&batch_) : filled;
  }
  return transactions_->Run(
      [&] {
        rocksdb::Transaction& transaction = transactions_->transaction();
        const rocksdb::Status filled =
            Fill(batch, [&](auto... put) { return transaction.Put(put...); });
        return filled.ok() && two_phase_ ? Prepare(batch) : filled;
      },
      conflicts);
}

// The name is of this batch alone: a prepared transaction outlives its process.
rocksdb::Status KvWorker::Prepare(uint64_t batch) {
  return transactions_->Prepare(fmt::format("waltax-{}", batch));
}

template <typename Put>
rocksdb::Status KvWorker::Fill(uint64_t batch, const Put& put) {
  const Options& options = writes_->options();
  const uint64_t end = batch * options.batch_size;
  rocksdb::Status status;
  for (uint64_t i = end - options.batch_size; i < end && status.ok(); ++i) {
    const uint64_t key = writes_->KeyOf(i);
    writes_->EncodeKey(key, &key_);
    writes_->EncodeValue(key, i, &value_);
    status = put(store_->family(options.overwrites(), key),
                 rocksdb::Slice(key_), rocksdb::Slice(value_));
  }
  return status;
}

// The first batch whose writes all are new.
uint64_t FirstBatch(uint64_t next, uint64_t batch_size) {
  return (next + batch_size - 1) / batch_size + 1;
}

}  // namespace

KvWorkload::KvWorkload(std::shared_ptr<const Writes> writes, Store* store,
                       int threads, uint64_t next)
    : writes_(std::move(writes)),
      store_(store),
      threads_(threads),
      first_(FirstBatch(next, writes_->options().batch_size)),
      batches_(first_) {}

const std::vector<std::string_view>& KvWorkload::OperationNames() const {
  static const std::vector<std::string_view> names = {"WRITE"};
  return names;
}

nlohmann::json KvWorkload::Describe() const {
  return ToJson(writes_->options());
}

std::unique_ptr<Worker> KvWorkload::NewWorker(int index, uint64_t seed) {
  return std::make_unique<KvWorker>(writes_, store_, &batches_,
                                    seed + static_cast<uint64_t>(index));
}

Status KvWorkload::Check(CheckResult* result) {
  if (store_ == nullptr) return Status::Ok();
  const uint64_t size = writes_->options().batch_size;
  Expected expected;
  expected.first = (first_ - 1) * size;
  expected.next = (batches_.next() - 1) * size;
  expected.in_order = threads_ == 1;
  for (const uint64_t batch : batches_.Doubtful()) {
    for (uint64_t i = (batch - 1) * size; i < batch * size; ++i) {
      expected.doubtful.push_back(i);
    }
  }
  return CheckStore(*store_, *writes_, expected, result);
}

}  // namespace waltax::kv
