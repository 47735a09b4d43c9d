#include "tpcc/flags.h"

#include "driver/flags.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

namespace {

constexpr int64_t kMostTerminals = 10'000'000;

}  // namespace

Status WorkloadFlags::ResolveRun(const RunFlags& run, uint32_t data_warehouses,
                                 Options* resolved) const {
  *resolved = options;
  resolved->paced = paced.value_or(false);
  return Resolve(run, data_warehouses, resolved);
}

void AddLoadFlags(CLI::App* app, WorkloadFlags* flags) {
  AddWholeNumber(app, "--warehouses", &flags->load_warehouses, 1,
                 kMostWarehouses, "warehouses, 60 MB of disk each and 9 once");
}

void AddTerminalFlags(CLI::App* app, WorkloadFlags* flags) {
  Options& options = flags->options;
  AddWholeNumber(app, "--warehouses", &options.warehouses, 0, kMostWarehouses,
                 "what the data set must have; 0: whatever it has");
  AddWholeNumber(app, "--terminals", &options.terminals, 0, kMostTerminals,
                 "terminals, a multiple of the threads; 0: one for each");
  AddSwitch(app, "--paced", &flags->paced,
            "pause for keying and think times; wants a thread per terminal");
  AddWholeNumber(app, "--max-retries", &options.max_retries, 0, 1'000'000,
                 "conflicts after which a transaction is an error");
  AddText(app, "--ack-log", &options.ack_log, "a file",
          "append each acknowledged New-Order to this file");
}

void AddCheckFlags(CLI::App* app, WorkloadFlags* flags) {
  AddWholeNumber(app, "--warehouses", &flags->options.warehouses, 0,
                 kMostWarehouses,
                 "what the data set must have; 0: whatever it has");
  AddText(app, "--acks", &flags->acks, "a file that --ack-log wrote",
          "every New-Order of this file must be there");
}

}  // namespace waltax::tpcc
