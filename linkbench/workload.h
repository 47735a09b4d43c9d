// LinkBench as the driver sees it.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "driver/workload.h"
#include "linkbench/commits.h"
#include "linkbench/requests.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

class LinkbenchWorkload : public Workload {
 public:
  // `commits` may be null: then nobody is told.
  LinkbenchWorkload(std::shared_ptr<const RequestModel> model, Store* store,
                    int threads, CommitLog* commits = nullptr)
      : model_(std::move(model)),
        store_(*store),
        threads_(threads),
        commits_(commits) {}

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override;
  [[nodiscard]] nlohmann::json Describe() const override;
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override;
  Status Check(CheckResult* result) override;

 private:
  std::shared_ptr<const RequestModel> model_;
  Store& store_;
  int threads_;
  CommitLog* commits_;
};

}  // namespace waltax::linkbench
