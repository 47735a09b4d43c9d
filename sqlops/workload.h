// The statements as the driver sees them.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "driver/acknowledged.h"
#include "driver/latency.h"
#include "driver/workload.h"
#include "sqlops/options.h"
#include "sqlops/store.h"
#include "sqlops/student.h"
#include "sqlops/turns.h"

namespace waltax::sqlops {

// What the workers of a run share. Thread-safe.
struct Shared {
  Shared(const Options& options, const Students& content, const Before& before)
      : options(options),
        op(options.op()),
        students(content),
        insert_ids(options.data.students, op),
        delete_ids(options.data.students),
        inserts(before.first_insert),
        deletes(before.first_delete) {}

  Options options;
  Op op;
  Students students;
  InsertIds insert_ids;
  DeleteIds delete_ids;
  AcknowledgedCounter inserts;
  AcknowledgedCounter deletes;
  // Of the requesters that share connections, which are of one thread; over
  // whole slices.
  Histogram connection_wait_ns;
  Histogram service_ns;
};

class SqlopsWorkload : public Workload {
 public:
  SqlopsWorkload(const Options& options, const Students& students, Store* store,
                 const Before& before);

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override {
    return names_;
  }
  [[nodiscard]] nlohmann::json Describe() const override;
  [[nodiscard]] Throughput throughput() const override {
    return {"statements/s", std::nullopt, 1};
  }
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override;
  Status Check(CheckResult* result) override;

 private:
  Before before_;
  Shared shared_;
  Store& store_;
  std::vector<std::string_view> names_;
};

}  // namespace waltax::sqlops
