// The acknowledgement log of a mix (driver/ack_log.h), and whether tables have
// what it says. What a request makes of rows follows from what was drawn for
// it, so that this is all that the log has of one.
//
//   "? " stamp operation drawn... inserted...   a request begins; as many
//                                               numbers of either as any
//                                               operation has
//   stamp                                       it is committed, and wrote
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driver/ack_log.h"
#include "driver/findings.h"
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

// Compares the rows of a check with a log. An acknowledged request is lost when
//
//   - a row that it inserted or put is not there, and none of the log may have
//     deleted it;
//   - a row that it deleted is there, and cannot have come again;
//   - a text that it wrote is that of one which had ended when it began, or of
//     none in the log;
//   - a counter that is never lowered has less than was added to a row, and it
//     is among the newest that would make up for that.
//
// Not thread-safe.
class AckCheck {
 public:
  // Both outlive it.
  AckCheck(const Values& values, const std::vector<LoggedRequest>& log);

  // Takes a row that is there.
  void See(size_t table, uint64_t number, const Row& row);
  // To be called once, when all rows were seen.
  void Tell(Findings* findings);

 private:
  // What a step of a request did to a row.
  struct Write {
    RequestStep at;
    const LoggedRequest* of;
  };
  // Of one row, in the order in which they began.
  using Writes = std::vector<Write>;

  void CheckText(size_t table, size_t column, uint64_t number,
                 std::string_view text, const Writes& writes);
  void CheckSum(size_t table, size_t column, uint64_t number, int64_t value,
                const Writes& writes);
  static int64_t AddedBy(const Write& write, size_t column);
  // Nothing, unless it was acknowledged.
  void Lose(const Write& write, uint64_t row, std::string_view sentence);

  const Values& values_;
  const Mix& mix_;
  uint64_t acknowledged_ = 0;
  std::vector<std::unordered_map<uint64_t, Writes>> rows_;  // by table, unseen
  std::map<uint64_t, std::string> lost_;  // by acknowledgements
  Row row_;
};

}  // namespace waltax::mix
