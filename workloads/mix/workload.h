// A mix as the driver sees it, and its check: whether the tables hold what was
// written, and nothing else: row counts, indexes against their tables, what was
// added to columns, and the contents of texts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/ack_log.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "workloads/mix/state.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// All but `states` outlive it; `store` is null where nothing is written, and
// `log` where nobody wants to know what was acknowledged.
std::unique_ptr<Workload> NewMixWorkload(const Values& values, Store* store,
                                         int clients, TableStates states,
                                         AckLog* log = nullptr);

// What a run begins with. Looks only at tables whose rows change; without a
// store they are as they were loaded.
Status Survey(const Values& values, Store* store, TableStates* states);

// What an acknowledgement log (driver/ack_log.h) has of a request. What that
// makes of rows follows from what was drawn for it.
//
//   "? " stamp operation drawn...   it begins; as many numbers as any operation
//                                   has
//   stamp                           it is committed, and wrote
struct LoggedRequest : AckedWrite {
  Request request;
};

// The requests of a log, in the order in which they began.
Status ReadRequestLog(const std::string& path, const Mix& mix,
                      std::vector<LoggedRequest>* requests);

// Without `states`, what runs wrote is checked by its contents alone. With
// `log`, what that says is looked for, too.
Status Check(const Values& values, Store& store, const TableStates* states,
             const std::vector<LoggedRequest>* log, CheckResult* result);

}  // namespace waltax::mix
