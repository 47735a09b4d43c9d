#include "linkbench/commit_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <string>

#include "driver/findings.h"
#include "linkbench/requests.h"

namespace waltax::linkbench {

namespace {

Status Unreadable(const Reply& reply) {
  return reply.error == nullptr ? Status::Ok() : Status::Failed(*reply.error);
}

std::string NameOf(const RowKey& row) {
  return row.is_link ? fmt::format("link: id1 {} type {} id2 {}", row.id1,
                                   row.type, row.id2)
                     : fmt::format("node: id {}", row.id1);
}

// One row at a time. Not thread-safe.
class CommitCheck {
 public:
  CommitCheck(Session* session, Findings* findings)
      : session_(*session), findings_(*findings) {}

  // `writes` are those of one row, in the order in which they began.
  Status Run(std::span<const LoggedWrite> writes) {
    RowState state = RowState::kAbsent;
    const Status status = Read(writes.front().change.row, &state);
    if (status.ok()) Compare(writes, state);
    return status;
  }

 private:
  Status Read(const RowKey& row, RowState* state) {
    return row.is_link ? ReadLink(row, state) : ReadNode(row, state);
  }
  Status ReadLink(const RowKey& row, RowState* state) {
    const Reply reply =
        session_.MultigetLinks(row.id1, row.type, {&row.id2, 1}, &links_);
    if (links_.size() > 0) {
      const LinkValue link = links_.value(0);
      *state = link.visible ? StateOf(link.time, link.data) : RowState::kHidden;
    }
    return Unreadable(reply);
  }
  Status ReadNode(const RowKey& row, RowState* state) {
    NodeValue node;
    const Reply reply = session_.GetNode(row.id1, kNodeType, &node, &data_);
    if (reply.found) *state = StateOf(node.time, node.data);
    return Unreadable(reply);
  }
  void Compare(std::span<const LoggedWrite> writes, RowState state) {
    const auto found = std::find_if(
        writes.rbegin(), writes.rend(),
        [state](const LoggedWrite& w) { return w.change.state == state; });
    const bool is_of_before = found == writes.rend();
    // What began after that is lost: all, when the row is older than the log.
    const std::optional<uint64_t> end = is_of_before ? 0 : found->end;
    if (!end) return;  // nothing began after it ended
    for (const LoggedWrite& write : writes) {
      if (!write.end || write.begin < *end) continue;
      findings_.Lost(
          write.number,
          fmt::format("acknowledged: {}: write {} is lost, the row is {}",
                      NameOf(write.change.row), write.number,
                      is_of_before ? "as before all"
                                   : fmt::format("that of {}", found->number)));
    }
  }

  Session& session_;
  Findings& findings_;
  LinkRows links_;
  std::string data_;
};

void Add(const CheckResult& told, CheckResult* result) {
  result->violation_count += told.violation_count;
  std::copy(told.violations.begin(), told.violations.end(),
            std::back_inserter(result->violations));
  std::copy(told.counted.begin(), told.counted.end(),
            std::back_inserter(result->counted));
  result->acknowledged = told.acknowledged;
}

}  // namespace

Status CheckCommits(std::vector<LoggedWrite> writes, Session* session,
                    CheckResult* result) {
  std::stable_sort(writes.begin(), writes.end(),
                   [](const LoggedWrite& left, const LoggedWrite& right) {
                     return left.change.row < right.change.row;
                   });
  Findings findings;
  findings.Acknowledged(static_cast<uint64_t>(
      std::count_if(writes.begin(), writes.end(),
                    [](const LoggedWrite& write) { return write.end; })));
  CommitCheck check(session, &findings);
  Status status;
  uint64_t rows = 0;
  for (auto begin = writes.begin(); status.ok() && begin != writes.end();) {
    const auto end =
        std::find_if(begin, writes.end(), [&](const LoggedWrite& write) {
          return write.change.row != begin->change.row;
        });
    status = check.Run({begin, end});
    begin = end;
    ++rows;
  }
  if (!status.ok()) return status;
  findings.Count("acknowledged rows", rows);
  CheckResult told;
  status = findings.Take(&told);
  Add(told, result);
  return status;
}

}  // namespace waltax::linkbench
