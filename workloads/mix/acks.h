// The acknowledgement log of a mix (driver/ack_log.h). What a request makes of
// rows follows from what was drawn for it, so that this is all that the log has
// of one.
//
//   "? " stamp operation drawn... inserted...   a request begins; as many
//                                               numbers of either as any
//                                               operation has
//   stamp                                       it is committed, and wrote
#pragma once

#include <string>
#include <vector>

#include "driver/ack_log.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// To be called before a request is executed.
Status Begin(const Request& request, AckLog* log);

struct LoggedRequest : AckedWrite {
  Request request;
};

// The requests of a log, in the order in which they began.
Status ReadRequestLog(const std::string& path, const Mix& mix,
                      std::vector<LoggedRequest>* requests);

}  // namespace waltax::mix
