// Whether the tables hold what was written, and nothing else: row counts,
// indexes against their tables, what was added to columns, and the contents of
// texts.
#pragma once

#include "driver/status.h"
#include "driver/workload.h"
#include "workloads/mix/acks.h"
#include "workloads/mix/state.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// What a run begins with. Looks only at tables whose rows change; without a
// store they are as they were loaded.
Status Survey(const Values& values, Store* store, TableStates* states);

// Without `states`, what runs wrote is checked by its contents alone. With
// `log`, what that says is looked for, too.
Status Check(const Values& values, Store& store, const TableStates* states,
             const std::vector<LoggedRequest>* log, CheckResult* result);

}  // namespace waltax::mix
