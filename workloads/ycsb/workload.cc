#include "workloads/ycsb/workload.h"

#include <fmt/format.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <utility>

#include "driver/acknowledged.h"

namespace waltax::ycsb {

namespace {

// What the workers of a run share. Thread-safe.
struct Shared {
  Shared(uint64_t first_insert, AckLog* acks)
      : inserts(first_insert), acks(acks) {}

  AcknowledgedCounter inserts;
  AckLog* acks;                        // of inserts; null: none
  std::atomic<uint64_t> sequence = 0;  // of the distribution "sequential"
  // Of read-modify-writes, which a record's counter counts, too.
  std::atomic<uint64_t> modified = 0;
};

class YcsbWorker : public Worker {
 public:
  YcsbWorker(std::shared_ptr<const RequestModel> model,
             std::unique_ptr<Session> session, Shared* shared, int index,
             uint64_t seed)
      : model_(model),
        stream_(std::move(model), index, seed),
        session_(std::move(session)),
        shared_(*shared) {}

  void Draw() override { stream_.Draw(shared_.inserts.last(), &request_); }
  Outcome Execute() override {
    if (!request_.number) Number();
    Outcome outcome;
    outcome.operation = static_cast<uint32_t>(request_.op);
    const Reply reply = session_->Execute(request_, &row_);
    outcome.retries = reply.conflicts.total();
    outcome.error = reply.error;
    outcome.fatal = reply.fatal;
    outcome.committed = reply.changed && Writes(request_.op);
    if (reply.error != nullptr) return outcome;
    if (request_.op == Op::kInsert) {
      Acknowledge(request_.number.value_or(0), &outcome);
    } else if (request_.op == Op::kReadModifyWrite && reply.found) {
      shared_.modified.fetch_add(1, std::memory_order_relaxed);
    }
    Judge(reply, &outcome);
    return outcome;
  }
  void TakeInputs(std::vector<InputCount>* counts) override {
    stream_.TakeInputs(counts);
  }

 private:
  // Numbers a request whose record is the next one of all workers.
  void Number() {
    const DataOptions& data = model_->options.data;
    request_.number =
        request_.op == Op::kInsert
            ? shared_.inserts.Take()
            : data.insertstart +
                  shared_.sequence.fetch_add(1, std::memory_order_relaxed) %
                      data.insertcount;
    stream_.Name(&request_);
  }
  // What is not in the log may be lost unseen: then the run ends.
  void Acknowledge(uint64_t number, Outcome* outcome) {
    shared_.inserts.Acknowledge(number);
    if (shared_.acks == nullptr) return;
    const Status status = shared_.acks->Acknowledge({number});
    if (status.ok()) return;
    error_ = status.message();
    outcome->error = &error_;
    outcome->fatal = true;
  }
  // Complains of a record that is not there, or whose fields are not what they
  // must be.
  void Judge(const Reply& reply, Outcome* outcome) {
    if (request_.op == Op::kScan) {
      outcome->rows = reply.rows;
      (reply.rows > 0 ? outcome->found : outcome->not_found) = 1;
      return;
    }
    outcome->found = 1;
    if (!request_.can_miss()) return;
    if (!reply.found) {
      error_ = fmt::format("{} of {}: found no such record",
                           kOpNames[outcome->operation], request_.key);
    } else if (request_.op != Op::kUpdate && !FieldsHold()) {
      error_ = fmt::format("{} of {}: fields do not hold what was written",
                           kOpNames[outcome->operation], request_.key);
    } else {
      return;
    }
    outcome->found = 0;
    outcome->error = &error_;
  }
  [[nodiscard]] bool FieldsHold() const {
    if (!model_->options.data.checkable()) return true;
    for (uint32_t i = 0; i < row_.fields.size(); ++i) {
      if (request_.field && *request_.field != i) continue;
      if (!model_->records.Holds(request_.key, i, row_.fields[i])) return false;
    }
    return true;
  }

  std::shared_ptr<const RequestModel> model_;
  RequestStream stream_;
  std::unique_ptr<Session> session_;
  Shared& shared_;
  DrawnRequest request_;
  Row row_;
  std::string error_;
};

// The number of the first record that a run inserts.
uint64_t FirstInsert(const DataOptions& data,
                     const std::optional<Totals>& before) {
  const uint64_t rows = before ? before->rows : data.insertcount;
  const uint64_t inserted =
      rows > data.insertcount ? rows - data.insertcount : 0;
  return data.recordcount + inserted;
}

class YcsbWorkload : public Workload {
 public:
  YcsbWorkload(std::shared_ptr<const RequestModel> model, Store* store,
               int threads, const std::optional<Totals>& before, AckLog* acks)
      : model_(std::move(model)),
        store_(*store),
        threads_(threads),
        before_(before),
        shared_(FirstInsert(model_->options.data, before), acks) {}

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override {
    static const std::vector<std::string_view> names(kOpNames.begin(),
                                                     kOpNames.end());
    return names;
  }
  [[nodiscard]] nlohmann::json Describe() const override {
    return ToJson(model_->options);
  }
  [[nodiscard]] Throughput throughput() const override {
    return {"ops/s", std::nullopt, 1};
  }
  [[nodiscard]] std::vector<InputRule> InputRules() const override {
    return model_->InputRules();
  }
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override {
    return std::make_unique<YcsbWorker>(
        model_, store_.NewSession(seed + static_cast<uint64_t>(index)),
        &shared_, index, seed);
  }
  void AddToSlice(nlohmann::json* slice) override { store_.AddToSlice(slice); }
  Status Check(CheckResult* result) override {
    Expected expected;
    if (before_) {
      expected.next = shared_.inserts.next();
      expected.doubtful = shared_.inserts.Doubtful();
      // Blind updates start a record's counter anew.
      if (model_->options.requests.share(Op::kReadModifyWrite) > 0) {
        expected.counter = before_->counter + shared_.modified.load();
      }
    }
    return CheckRecords(model_->options.data, expected, threads_, &store_,
                        result);
  }

 private:
  std::shared_ptr<const RequestModel> model_;
  Store& store_;
  int threads_;
  std::optional<Totals> before_;
  Shared shared_;
};

}  // namespace

std::unique_ptr<Workload> NewYcsbWorkload(
    std::shared_ptr<const RequestModel> model, Store* store, int threads,
    const std::optional<Totals>& before, AckLog* acks) {
  return std::make_unique<YcsbWorkload>(std::move(model), store, threads,
                                        before, acks);
}

bool WantsSurvey(const RequestOptions& requests) {
  return requests.share(Op::kInsert) > 0 ||
         requests.share(Op::kReadModifyWrite) > 0;
}

Status ReadAckLog(const std::string& path, std::vector<uint64_t>* numbers) {
  numbers->clear();
  return ReadAckLines(path, kAcks, [numbers](const AckLine& line) {
    numbers->push_back(line.numbers.front());
    return true;
  });
}

}  // namespace waltax::ycsb
