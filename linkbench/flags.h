// Command-line flags of the workload, under the names that the original's
// properties have with dashes.
#pragma once

#include <string>

#include "linkbench/options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace waltax::linkbench {

// Options as they are being parsed: functions are still names.
struct WorkloadFlags {
  Options options;
  std::string nlinks_func = "real";
  std::string read_function = "zipf";
  std::string read_uncorr_function = "zipf";
  std::string write_function = "zipf";
  std::string node_read_function = "zipf";
  std::string node_update_function = "zipf";
  std::string node_delete_function = "uniform";

  // The options with their functions filled in, if they are valid.
  Status Resolve(Options* resolved) const;
};

void AddGraphFlags(CLI::App* app, WorkloadFlags* flags);
void AddRequestFlags(CLI::App* app, WorkloadFlags* flags);

}  // namespace waltax::linkbench
