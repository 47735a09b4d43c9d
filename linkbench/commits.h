// The acknowledgement log of LinkBench (driver/ack_log.h), and whether a
// database has what it says: what a client was about to change, and what it was
// told to be committed. A later write hides an earlier one of the same row, so
// that the log says of each what it makes of its row, and which had returned
// when another began.
//
//   "? " n is_link id1 type id2 state   the n-th write begins; of a node with
//                                       id1 alone, or 0 when the store gives it
//                                       out
//   n id                                it is committed; id is a new node's, or
//                                       0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/ack_log.h"
#include "driver/findings.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// A link, or a node: that has a number alone, and type and id2 0.
struct RowKey {
  bool is_link = false;
  uint64_t id1 = 0;
  uint64_t type = 0;
  uint64_t id2 = 0;

  auto operator<=>(const RowKey&) const = default;
};

// What a reader gets of a row, as a number: equal for equal time and data.
enum class RowState : uint64_t { kAbsent = 0, kHidden = 1 };
RowState StateOf(uint64_t time, std::string_view data);

struct Change {
  RowKey row;
  RowState state = RowState::kAbsent;
};

// A write as the log has it. `begin` and `end` are lines.
struct LoggedWrite {
  Change change;
  uint64_t begin = 0;
  std::optional<uint64_t> end;
  uint64_t number = 0;  // of its acknowledgement among all, if it has an end
};

// Thread-safe.
class CommitLog {
 public:
  // As AckLog::Open().
  static Status Open(const std::string& path, std::unique_ptr<CommitLog>* log);

  // To be called before a write begins; gives it a number.
  Status Begin(const Change& change, uint64_t* number);
  // To be called when its commit has returned, and it changed something.
  Status Committed(uint64_t number, uint64_t new_node = 0) {
    return log_->Acknowledge({number, new_node});
  }

 private:
  std::unique_ptr<AckLog> log_;
  std::atomic<uint64_t> next_ = 0;
};

// The writes of a log, in the order in which they began, without those of new
// nodes whose id nobody was told.
Status ReadCommitLog(const std::string& path, std::vector<LoggedWrite>* writes);

// Reads each row that `writes` changed, and tells `findings` what is lost, or
// that a row could not be read.
//
// A row must be what its last acknowledged write made of it, or a write that
// had not ended when that one began, or a later one. What it is instead was
// made by an earlier write, or by none of these: every acknowledged write that
// began after that one had ended is lost. Where two writes make the same of a
// row, it is taken for the later one.
void CheckCommits(std::vector<LoggedWrite> writes, Session* session,
                  Findings* findings);

}  // namespace waltax::linkbench
