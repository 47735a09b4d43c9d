// A mix as the driver sees it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "driver/workload.h"
#include "workloads/mix/check.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

class MixWorkload : public Workload {
 public:
  // All but `before` outlive it; `store` is null where nothing is written, and
  // `log` where nobody wants to know what was acknowledged.
  MixWorkload(const Values& values, Store* store, int clients,
              const std::vector<Before>& before, AckLog* log = nullptr);

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override {
    return names_;
  }
  [[nodiscard]] nlohmann::json Describe() const override;
  [[nodiscard]] Throughput throughput() const override {
    return {mix_.unit, std::nullopt, 1};
  }
  [[nodiscard]] std::vector<InputRule> InputRules() const override;
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override;
  Status Check(CheckResult* result) override;

 private:
  const Values& values_;
  const Mix& mix_;
  Store* store_;
  AckLog* log_;
  int clients_;
  TableStates states_;
  std::vector<std::string_view> names_;
  std::vector<std::string> rules_;
};

}  // namespace waltax::mix
