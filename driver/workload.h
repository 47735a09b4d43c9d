// What a workload is to the driver: names of its operations, one worker per
// thread that draws an operation's inputs and then executes it, and a check.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/status.h"

namespace waltax {

// What one executed operation did. `operation` indexes
// Workload::OperationNames(). `found` and `rows` are the operation's own
// counts (rows read, link existed); `retries` counts attempts that were rolled
// back for a conflict before the one that ended the operation.
struct Outcome {
  uint32_t operation = 0;
  uint32_t found = 0;
  uint32_t not_found = 0;
  uint32_t rows = 0;
  uint32_t retries = 0;
  bool committed = false;  // it changed what is stored, so that a log has it
  // Null when the operation succeeded; otherwise why it was given up. Points
  // to storage that the worker owns until its next Execute().
  const std::string* error = nullptr;
};

// What a workload's throughput counts: completed operations of one kind, or of
// all kinds, per so many seconds.
struct Throughput {
  std::string_view unit = "requests/s";
  std::optional<uint32_t> operation;  // empty: all
  double interval_s = 1;
};

// Used by exactly one thread between its creation and its end.
class Worker {
 public:
  virtual ~Worker() = default;
  // Draws the next operation and its inputs. Never timed. Changes nothing
  // outside the worker, so that its cost can be measured on a spare one.
  virtual void Draw() = 0;
  // Executes what Draw() drew. Timed.
  virtual Outcome Execute() = 0;
  // How long a user would pause between the end of the last operation and the
  // start of the one that was drawn. Heeded in a closed loop only; not timed.
  // When the end of a slice cuts the pause short, the operation is not executed
  // in that slice; the next Draw() may keep it for the next one.
  virtual int64_t PauseNs() { return 0; }
  // Adds the worker's own counters since the last call to those columns of a
  // slice's row, and starts them anew. Called while the worker is idle.
  virtual void AddColumns(nlohmann::json* columns) { (void)columns; }
};

// What an acknowledgement log says, against what a data set has.
struct Acknowledged {
  uint64_t count = 0;  // of acknowledgements
  uint64_t lost = 0;
  uint64_t oldest_lost = 0;  // its number among them, from 0, if any is lost
};

struct CheckResult {
  uint64_t violation_count = 0;  // 0: consistent, and nothing is lost
  // The first few of each kind: sentences that begin with "KIND: ".
  std::vector<std::string> violations;
  std::vector<std::pair<std::string, uint64_t>> counted;  // what was looked at
  std::optional<Acknowledged> acknowledged;  // when the check was given a log
};

// Thread-safe after construction, except Check(), which wants all workers idle.
class Workload {
 public:
  virtual ~Workload() = default;
  [[nodiscard]] virtual const std::vector<std::string_view>& OperationNames()
      const = 0;
  // Effective flags of the workload: goes into the `ready` event.
  [[nodiscard]] virtual nlohmann::json Describe() const = 0;
  [[nodiscard]] virtual Throughput throughput() const { return {}; }
  // Worker `index` of a run with this seed; the same pair gives the same
  // operations.
  virtual std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) = 0;
  // Adds what else the workload reports of a slice, from the last call on. All
  // workers are idle.
  virtual void AddToSlice(nlohmann::json* slice) { (void)slice; }
  // Verifies the workload's invariants on the store.
  virtual Status Check(CheckResult* result) = 0;
};

}  // namespace waltax
