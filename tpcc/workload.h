// TPC-C as the driver sees it.
#pragma once

#include <cstdint>
#include <memory>

#include "driver/ack_log.h"
#include "driver/workload.h"
#include "tpcc/draws.h"
#include "tpcc/options.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// A run on one data set, as every terminal sees it.
struct RunPlan {
  Options options;  // resolved
  int threads = 1;
  NuRandConstants constants;
  uint32_t last_name_load = 0;  // C-Load of the data set
  uint64_t next_orders = 0;     // SumNextOrders() before the run
};

// Notes the New-Orders that it commits in `acks`, unless that is null. Both
// must outlive it.
std::unique_ptr<Workload> NewTpccWorkload(const RunPlan& plan, Store* store,
                                          AckLog* acks);

}  // namespace waltax::tpcc
