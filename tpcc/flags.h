// Command-line flags of the workload.
#pragma once

#include <optional>
#include <string>

#include "tpcc/options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace waltax::tpcc {

struct WorkloadFlags {
  uint64_t load_warehouses = 1;
  Options options;
  std::optional<bool> paced;
  // A log of acknowledged New-Orders that `check` compares with the data.
  std::string acks;

  // The options of a run on a data set with so many warehouses, if they are
  // valid.
  Status ResolveRun(const RunFlags& run, uint32_t data_warehouses,
                    Options* resolved) const;
};

void AddLoadFlags(CLI::App* app, WorkloadFlags* flags);
void AddTerminalFlags(CLI::App* app, WorkloadFlags* flags);
void AddCheckFlags(CLI::App* app, WorkloadFlags* flags);

}  // namespace waltax::tpcc
