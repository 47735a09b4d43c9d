// YCSB's core workload as the driver sees it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/ack_log.h"
#include "driver/acknowledged.h"
#include "driver/workload.h"
#include "workloads/ycsb/check.h"
#include "workloads/ycsb/requests.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

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

class YcsbWorkload : public Workload {
 public:
  // `before` is what the store holds, where that was looked at. `acks`, which
  // may be null, has each insert that was acknowledged.
  YcsbWorkload(std::shared_ptr<const RequestModel> model, Store* store,
               int threads, const std::optional<Totals>& before,
               AckLog* acks = nullptr);

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override;
  [[nodiscard]] nlohmann::json Describe() const override;
  [[nodiscard]] Throughput throughput() const override {
    return {"ops/s", std::nullopt, 1};
  }
  [[nodiscard]] std::vector<InputRule> InputRules() const override {
    return model_->InputRules();
  }
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override;
  void AddToSlice(nlohmann::json* slice) override { store_.AddToSlice(slice); }
  Status Check(CheckResult* result) override;

 private:
  std::shared_ptr<const RequestModel> model_;
  Store& store_;
  int threads_;
  std::optional<Totals> before_;
  Shared shared_;
};

// Whether a run changes what Survey() counts: then it is to be called before
// it.
bool WantsSurvey(const RequestOptions& requests);

// The log has the number of each record whose insert was acknowledged, a line
// each.
Status OpenAckLog(const std::string& path, std::unique_ptr<AckLog>* log);
Status ReadAckLog(const std::string& path, std::vector<uint64_t>* numbers);

}  // namespace waltax::ycsb
