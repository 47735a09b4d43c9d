// The workload of the write path as the driver sees it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "driver/acknowledged.h"
#include "driver/workload.h"
#include "kv/store.h"
#include "kv/writes.h"

namespace waltax::kv {

class KvWorkload : public Workload {
 public:
  // `store` is null where nothing is written. `next` is the number of the first
  // write that is new to the store.
  KvWorkload(std::shared_ptr<const Writes> writes, Store* store, int threads,
             uint64_t next);

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override;
  [[nodiscard]] nlohmann::json Describe() const override;
  [[nodiscard]] Throughput throughput() const override {
    return {"writes/s", std::nullopt, 1};
  }
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override;
  Status Check(CheckResult* result) override;

 private:
  std::shared_ptr<const Writes> writes_;
  Store* store_;
  int threads_;
  uint64_t first_;               // batch
  AcknowledgedCounter batches_;  // begins with 1; its writes with 0
};

}  // namespace waltax::kv
