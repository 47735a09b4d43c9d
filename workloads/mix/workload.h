// A mix as the driver sees it.
#pragma once

#include <memory>
#include <vector>

#include "driver/workload.h"
#include "workloads/mix/check.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// All but `states` outlive it; `store` is null where nothing is written, and
// `log` where nobody wants to know what was acknowledged.
std::unique_ptr<Workload> NewMixWorkload(const Values& values, Store* store,
                                         int clients, TableStates states,
                                         AckLog* log = nullptr);

}  // namespace waltax::mix
