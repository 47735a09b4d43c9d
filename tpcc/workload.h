// TPC-C as the driver sees it.
#pragma once

#include <memory>

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

// `store` and `ledger` must outlive it. Without a ledger nothing is stored, and
// there is nothing to check.
std::unique_ptr<Workload> NewTpccWorkload(const RunPlan& plan, Store* store,
                                          Ledger* ledger);

}  // namespace waltax::tpcc
