#include "linkbench/commit_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace waltax::linkbench {

namespace {

constexpr int kHexadecimal = 16;

struct Line {
  bool is_begin = false;
  uint64_t number = 0;
  Change change;          // of one that begins
  uint64_t new_node = 0;  // of one that is committed
};

bool TakeWord(std::string_view* text, std::string_view word) {
  if (!text->starts_with(word)) return false;
  text->remove_prefix(word.size());
  return true;
}

bool TakeState(std::string_view* text, RowState* state) {
  uint64_t digits = 0;
  if (!TakeNumber(text, '\n', &digits, kHexadecimal)) return false;
  *state = static_cast<RowState>(digits);
  return text->empty();
}

bool TakeChange(std::string_view* text, Change* change) {
  change->row.is_link = TakeWord(text, "link ");
  if (!change->row.is_link) {
    return TakeWord(text, "node ") && TakeNumber(text, ' ', &change->row.id1) &&
           TakeState(text, &change->state);
  }
  return TakeNumber(text, ' ', &change->row.id1) &&
         TakeNumber(text, ' ', &change->row.type) &&
         TakeNumber(text, ' ', &change->row.id2) &&
         TakeState(text, &change->state);
}

bool TakeLine(std::string_view text, Line* line) {
  line->is_begin = TakeWord(&text, "? ");
  if (line->is_begin) {
    return TakeNumber(&text, ' ', &line->number) &&
           TakeChange(&text, &line->change);
  }
  return TakeWord(&text, "= ") && TakeNumber(&text, ' ', &line->number) &&
         TakeNumber(&text, '\n', &line->new_node) && text.empty();
}

// No line is longer: two letters, a word, four numbers of 20 digits, a state,
// and what follows each.
constexpr AckFormat kFormat = {[](std::string_view text) {
                                 Line line;
                                 return TakeLine(text, &line);
                               },
                               "?= 0123456789abcdefghijklmnopqrstuvwxyz", 120};

std::string Text(const Change& change) {
  const RowKey& row = change.row;
  const auto state = static_cast<uint64_t>(change.state);
  return row.is_link ? fmt::format("link {} {} {} {:016x}", row.id1, row.type,
                                   row.id2, state)
                     : fmt::format("node {} {:016x}", row.id1, state);
}

// Pairs beginnings with ends.
class Writes {
 public:
  void Add(const Line& line) {
    const uint64_t at = lines_++;
    if (line.is_begin) {
      open_[line.number] = writes_.size();
      writes_.push_back({line.change, at, {}, 0});
    } else if (const auto begun = open_.find(line.number);
               begun != open_.end()) {
      LoggedWrite& write = writes_[begun->second];
      if (line.new_node != 0) write.change.row.id1 = line.new_node;
      write.end = at;
      write.number = ended_++;
      open_.erase(begun);
    }
  }
  std::vector<LoggedWrite> Take() {
    std::erase_if(writes_, [](const LoggedWrite& write) {
      return !write.change.row.is_link && write.change.row.id1 == 0;
    });
    return std::move(writes_);
  }

 private:
  uint64_t lines_ = 0;
  uint64_t ended_ = 0;
  std::vector<LoggedWrite> writes_;
  std::unordered_map<uint64_t, size_t> open_;
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
  Status status = AckLog::Open(path, kFormat, &opened->log_);
  if (status.ok()) *log = std::move(opened);
  return status;
}

Status CommitLog::Begin(const Change& change, uint64_t* number) {
  *number = next_.fetch_add(1, std::memory_order_relaxed);
  return log_->Append(fmt::format("? {} {}\n", *number, Text(change)));
}

Status CommitLog::Committed(uint64_t number, uint64_t new_node) {
  return log_->Append(fmt::format("= {} {}\n", number, new_node));
}

Status ReadCommitLog(const std::string& path,
                     std::vector<LoggedWrite>* writes) {
  Writes read;
  const Status status =
      ReadAckLines(path, "a write of LinkBench that begins or is committed",
                   [&read](std::string_view text) {
                     Line line;
                     if (!TakeLine(text, &line)) return false;
                     read.Add(line);
                     return true;
                   });
  *writes = read.Take();
  return status;
}

}  // namespace waltax::linkbench
