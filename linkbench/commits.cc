#include "linkbench/commits.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "linkbench/requests.h"

namespace waltax::linkbench {

namespace {

constexpr AckFormat kFormat = {
    .holds = "a write of LinkBench that begins or is committed",
    .acknowledged = 2,
    .begun = 6};

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
    const RowKey& row = writes.front().change.row;
    RowState state = RowState::kAbsent;
    TRY(row.is_link ? ReadLink(row, &state) : ReadNode(row, &state));
    Compare(writes, state);
    return Status::Ok();
  }

 private:
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

}  // namespace

// FNV-1a.
RowState StateOf(uint64_t time, std::string_view data) {
  constexpr uint64_t kPrime = 0x100000001b3;
  uint64_t hash = 0xcbf29ce484222325;
  for (int byte = 0; byte < 8; ++byte, time >>= 8U) {
    hash = (hash ^ (time & 0xffU)) * kPrime;
  }
  for (const char letter : data) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * kPrime;
  }
  // The first two are taken.
  return static_cast<RowState>(std::max<uint64_t>(hash, 2));
}

Status CommitLog::Open(const std::string& path,
                       std::unique_ptr<CommitLog>* log) {
  auto opened = std::make_unique<CommitLog>();
  Status status = AckLog::Open(path, &opened->log_);
  if (opened->log_ != nullptr) *log = std::move(opened);
  return status;
}

Status CommitLog::Begin(const Change& change, uint64_t* number) {
  *number = next_.fetch_add(1, std::memory_order_relaxed);
  const RowKey& row = change.row;
  return log_->Begin({*number, row.is_link ? 1U : 0U, row.id1, row.type,
                      row.id2, static_cast<uint64_t>(change.state)});
}

Status ReadCommitLog(const std::string& path,
                     std::vector<LoggedWrite>* writes) {
  writes->clear();
  std::vector<AckedWrite> logged;
  const Status status = ReadAckedWrites(path, kFormat, &logged);
  for (const AckedWrite& each : logged) {
    const std::vector<uint64_t>& numbers = each.begun;
    RowKey row = {numbers[1] != 0, numbers[2], numbers[3], numbers[4]};
    if (each.end && each.acknowledged[1] != 0) row.id1 = each.acknowledged[1];
    if (!row.is_link && row.id1 == 0) continue;
    writes->push_back({{row, static_cast<RowState>(numbers[5])},
                       each.begin,
                       each.end,
                       each.number});
  }
  return status;
}

void CheckCommits(std::vector<LoggedWrite> writes, Session* session,
                  Findings* findings) {
  std::stable_sort(writes.begin(), writes.end(),
                   [](const LoggedWrite& left, const LoggedWrite& right) {
                     return left.change.row < right.change.row;
                   });
  findings->Acknowledged(static_cast<uint64_t>(
      std::count_if(writes.begin(), writes.end(),
                    [](const LoggedWrite& write) { return write.end; })));
  CommitCheck check(session, findings);
  uint64_t rows = 0;
  for (auto begin = writes.begin();
       !findings->failed() && begin != writes.end();) {
    const auto end =
        std::find_if(begin, writes.end(), [&](const LoggedWrite& write) {
          return write.change.row != begin->change.row;
        });
    findings->Fail(check.Run({begin, end}));
    begin = end;
    ++rows;
  }
  findings->Count("acknowledged rows", rows);
}

}  // namespace waltax::linkbench
