// TPC-C as the driver sees it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "driver/workload.h"
#include "tpcc/draws.h"
#include "tpcc/ledger.h"
#include "tpcc/options.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// A run on one data set, as every terminal sees it.
struct RunPlan {
  Options options;  // resolved
  int threads = 1;
  NuRandConstants constants;
  uint32_t last_name_load = 0;  // C-Load of the data set
};

class TpccWorkload : public Workload {
 public:
  // `store` and `ledger` must outlive the workload. Without a ledger nothing is
  // stored, and there is nothing to check.
  TpccWorkload(const RunPlan& plan, Store* store, Ledger* ledger)
      : plan_(plan), store_(*store), ledger_(ledger) {}

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override;
  [[nodiscard]] nlohmann::json Describe() const override;
  // Clause 5.4.1: completed New-Orders per minute, those that had to roll back
  // included. DEVIATION T7: those that end inside the interval.
  [[nodiscard]] Throughput throughput() const override {
    return {"tpmC", static_cast<uint32_t>(Op::kNewOrder), 60};
  }
  [[nodiscard]] std::vector<InputRule> InputRules() const override;
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override;
  Status Check(CheckResult* result) override;

 private:
  RunPlan plan_;
  Store& store_;
  Ledger* ledger_;
};

}  // namespace waltax::tpcc
