#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "driver/findings.h"
#include "workloads/mix/codec.h"
#include "workloads/mix/workload.h"

namespace waltax::mix {
namespace {

// What is summed up of an entry of an index.
uint64_t HashOf(std::string_view entry) {
  return Mixed(std::hash<std::string_view>()(entry));
}

// What a step of a logged request did to a row.
struct Write {
  RequestStep at;
  const LoggedRequest* of;

  [[nodiscard]] bool renews(size_t column) const {
    if (at.step.verb != Verb::kUpdate) return at.step.verb == Verb::kPut;
    for (size_t i = 0; i < at.step.set.size(); ++i) {
      if (at.step.set[i].column == column && at.picks(i)) return true;
    }
    return false;
  }
  [[nodiscard]] int64_t added(size_t column) const {
    int64_t sum = 0;
    for (const Assignment& each : at.step.add) {
      if (each.column == column) sum += at.number(each, 0);
    }
    return sum;
  }
  [[nodiscard]] bool deletes() const { return at.step.verb == Verb::kDelete; }
};
// Of one row, in the order in which they began.
using Writes = std::vector<Write>;

// Compares the rows of a table with what must be there, and with a log. An
// acknowledged request is lost when
//
//   - a row that it inserted or put is not there, and none of the log may have
//     deleted it;
//   - a row that it deleted is there, and cannot have come again;
//   - a text that it wrote is that of one which had ended when it began, or of
//     none in the log;
//   - a counter that is never lowered has less than was added to a row, and it
//     is among the newest that would make up for that.
class TableCheck {
 public:
  // `state` may be null.
  TableCheck(const Values& values, size_t table, const TableState* state,
             Findings* findings)
      : values_(values),
        codec_(values),
        table_(table),
        what_(values.mix().tables[table]),
        state_(state),
        findings_(*findings),
        seen_(what_.rows),
        added_(what_.columns.size()),
        entries_(what_.indexes.size()) {}

  // To be called before Run(), with a log that outlives it.
  void Expect(const std::vector<LoggedRequest>& log) {
    // Where one may put what another inserts, the last of them is not known.
    if (what_.inserted && what_.put) return;
    for (const LoggedRequest& each : log) {
      const Operation& operation =
          values_.mix().operations[each.request.operation];
      for (const Step& step : operation.steps) {
        if (step.table != table_) continue;
        const RequestStep at = {values_, operation, each.request, step};
        for (size_t k = 0; k < step.most(); ++k) {
          logged_[at.written_row(k)].push_back({at, &each});
        }
      }
    }
  }

  Status Run(Store& store) {
    Status status = store.Scan(table_, [this](uint64_t n, const Row* r) {
      ++count_;
      if (r != nullptr) return Look(n, *r);
      findings_.Violation(what_.name +
                          (n == kMisplaced
                               ? ": one is on a node that does not own it"
                               : ": one has bytes that are no row"));
    });
    findings_.Count(what_.name, count_);
    if (!status.ok()) return status;
    for (const auto& [row, writes] : logged_) {
      if (std::any_of(writes.begin(), writes.end(),
                      [](const Write& each) { return each.deletes(); })) {
        continue;
      }
      for (const Write& each : writes) {
        if (each.at.step.verb != Verb::kUpdate)
          Lose(each, row, "it is missing");
      }
    }
    if (!what_.deleted) CheckRows();
    if (state_ != nullptr && !state_->doubtful) CheckSums();
    for (size_t i = 0; i < entries_.size() && status.ok(); ++i) {
      status = CheckIndex(store, i);
    }
    return status;
  }

 private:
  void Report(uint64_t number, const std::string& sentence) {
    findings_.Violation(
        fmt::format("{}: row {} {}", what_.name, number, sentence));
  }

  void Look(uint64_t number, const Row& row) {
    const auto logged = logged_.extract(number);
    if (!logged.empty()) CheckLogged(number, row, logged.mapped());
    uint64_t last = what_.inserted || what_.shared ? UINT64_MAX : what_.rows;
    if (what_.inserted && state_ != nullptr) {
      last = std::max(what_.loaded_rows(), state_->next());
    }
    if (number >= last) return Report(number, "was never written");
    if (number < seen_.size()) seen_[number] = true;
    for (size_t i = 0; i < what_.columns.size(); ++i) {
      if (Holds(number, i, row.cells[i])) continue;
      Report(number, what_.columns[i].name + " holds what was never written");
    }
    for (size_t i = 0; i < entries_.size(); ++i) {
      codec_.EncodeEntry(table_, i, number, row, &entry_);
      entries_[i] += HashOf(entry_);
    }
  }

  bool Holds(uint64_t number, size_t column, const Cell& cell) {
    const Column& what = what_.columns[column];
    if (what.type != Type::kInt) {
      const std::optional<uint64_t> stamp =
          values_.StampOf(table_, column, number, cell.text);
      return stamp && (*stamp == kLoaded || what.renewed || what_.shared);
    }
    if (what.set) return true;
    const int64_t added = cell.number - values_.Initial(table_, column, number);
    added_[column] += added;
    return added == 0 || what.added || what_.shared;
  }

  void CheckLogged(uint64_t number, const Row& row, const Writes& writes) {
    bool deleted = false;
    const Write* told = nullptr;  // the first delete that was acknowledged
    for (const Write& each : writes) {
      // A run gives numbers again whose rows had been deleted when it began.
      if (each.at.step.verb == Verb::kInsert) told = nullptr;
      if (!each.deletes()) continue;
      deleted = true;
      if (told == nullptr && each.of->end) told = &each;
    }
    if (told != nullptr && !what_.put) {
      Lose(*told, number, "it was deleted and is there");
    }
    for (size_t i = 0; i < what_.columns.size() && !deleted; ++i) {
      if (what_.columns[i].type != Type::kInt) {
        CheckText(i, number, row.cells[i].text, writes);
      } else if (what_.columns[i].raised) {
        CheckSum(i, number, row.cells[i].number, writes);
      }
    }
  }
  void CheckText(size_t column, uint64_t number, std::string_view text,
                 const Writes& writes) {
    std::optional<uint64_t> end = 0;  // of the write whose text is there
    for (auto each = writes.rbegin(); each != writes.rend(); ++each) {
      if (!each->renews(column)) continue;
      values_.Renew(table_, column, number, each->of->request.stamp, &row_);
      if (row_.cells[column].text != text) continue;
      end = each->of->end;
      break;
    }
    if (!end) return;  // nothing began after it ended
    for (const Write& each : writes) {
      if (!each.renews(column) || each.of->begin < *end) continue;
      Lose(each, number, what_.columns[column].name + " is older");
    }
  }
  // What was not acknowledged can only be more.
  void CheckSum(size_t column, uint64_t number, int64_t value,
                const Writes& writes) {
    int64_t missing = values_.Initial(table_, column, number) - value;
    for (const Write& each : writes) {
      if (each.of->end) missing += each.added(column);
    }
    for (auto each = writes.rbegin(); each != writes.rend() && missing > 0;
         ++each) {
      const int64_t added = each->added(column);
      if (!each->of->end || added == 0) continue;
      missing -= added;
      Lose(*each, number, what_.columns[column].name + " lacks what was added");
    }
  }
  // Nothing, unless it was acknowledged.
  void Lose(const Write& write, uint64_t row, std::string_view sentence) {
    if (!write.of->end) return;
    const uint64_t number = write.of->number;
    if (!lost_.insert(number).second) return;  // one sentence says it
    findings_.Lost(number,
                   fmt::format("acknowledged: {}: row {}: {}, request {}",
                               what_.name, row, sentence, number));
  }

  void CheckRows() {
    for (uint64_t i = 0; i < seen_.size(); ++i) {
      if (seen_[i]) continue;
      if (what_.loaded) {
        Report(i, "is missing");
        ++missing_;
      } else if (state_ != nullptr && !state_->doubtful && state_->WasPut(i)) {
        Report(i, "is missing, though its write was acknowledged");
      }
    }
  }

  void CheckSums() {
    const uint64_t rows = count_ + missing_;
    const bool told = (what_.inserted || what_.deleted) && !what_.put;
    findings_.Want(!told || rows == state_->count,
                   "{}: {} rows are there, and {} should be", what_.name, rows,
                   state_->count.load());
    for (size_t i = 0; i < what_.columns.size(); ++i) {
      const int64_t want = state_->added[i];
      findings_.Want(
          !what_.columns[i].counter || added_[i] == want,
          "{}.{}: all rows together had {} added, and {} was acknowledged",
          what_.name, what_.columns[i].name, added_[i], want);
    }
  }

  // Sums tell whether they have the same entries, in whatever order these come.
  Status CheckIndex(Store& store, size_t index) {
    const std::string name = what_.name + "." + what_.indexes[index].name;
    uint64_t count = 0;
    uint64_t sum = 0;
    const Status status =
        store.ScanIndex(table_, index, [&](std::string_view entry) {
          ++count;
          sum += HashOf(entry);
        });
    findings_.Count(name, count);
    findings_.Want(!status.ok() || (count == count_ && sum == entries_[index]),
                   "{}: its {} entries are not those of the {} rows", name,
                   count, count_);
    return status;
  }

  const Values& values_;
  Codec codec_;
  size_t table_;
  const Table& what_;
  const TableState* state_;
  Findings& findings_;
  std::vector<bool> seen_;         // rows that were loaded, or can be put
  std::vector<int64_t> added_;     // by column, to all rows together
  std::vector<uint64_t> entries_;  // by index: the sum of those of all rows
  std::string entry_;
  std::unordered_map<uint64_t, Writes> logged_;  // by row, that were not seen
  std::unordered_set<uint64_t> lost_;            // acknowledgements
  Row row_;
  uint64_t count_ = 0;
  uint64_t missing_ = 0;  // of those that were loaded
};

}  // namespace

Status Survey(const Values& values, Store* store, TableStates* states) {
  Status status;
  for (size_t i = 0; i < values.mix().tables.size() && status.ok(); ++i) {
    const Table& table = values.mix().tables[i];
    uint64_t rows = table.loaded_rows();
    uint64_t next = rows;
    uint64_t oldest = 0;
    std::vector<int64_t> added(table.columns.size());
    const bool counts =
        std::any_of(table.columns.begin(), table.columns.end(),
                    [](const Column& each) { return each.counter; });
    if (store != nullptr && (table.inserted || table.deleted || counts)) {
      rows = 0;
      oldest = UINT64_MAX;
      status = store->Scan(i, [&](uint64_t number, const Row* row) {
        if (row == nullptr) return;
        ++rows;
        next = std::max(next, number + 1);
        oldest = std::min(oldest, number);
        for (size_t column = 0; column < added.size(); ++column) {
          if (!table.columns[column].counter) continue;
          added[column] +=
              row->cells[column].number - values.Initial(i, column, number);
        }
      });
      oldest = std::min(oldest, next);
    }
    states->push_back(std::make_unique<TableState>(table, rows, next, oldest));
    std::copy(added.begin(), added.end(), states->back()->added.begin());
  }
  return status;
}

Status ReadRequestLog(const std::string& path, const Mix& mix,
                      std::vector<LoggedRequest>* requests) {
  std::vector<AckedWrite> logged;
  const Status status = ReadAckedWrites(
      path,
      {.holds = "a request of this mix that begins or is committed",
       .acknowledged = 1,
       .begun = 2 + mix.most_values},
      &logged);
  requests->clear();
  for (const AckedWrite& each : logged) {
    const std::vector<uint64_t>& begun = each.begun;
    if (begun[1] >= mix.operations.size()) {
      return Status::Usage(fmt::format(
          "--acks: found {}, which is of another mix, want that of --file",
          path));
    }
    requests->push_back(
        {each, {begun[1], {begun.begin() + 2, begun.end()}, begun[0]}});
  }
  return status;
}

Status Check(const Values& values, Store& store, const TableStates* states,
             const std::vector<LoggedRequest>* log, CheckResult* result) {
  Findings findings;
  if (log != nullptr) {
    findings.Acknowledged(static_cast<uint64_t>(std::count_if(
        log->begin(), log->end(),
        [](const LoggedRequest& each) { return each.end.has_value(); })));
  }
  for (size_t i = 0; i < values.mix().tables.size(); ++i) {
    const TableState* const state = states ? (*states)[i].get() : nullptr;
    TableCheck check(values, i, state, &findings);
    if (log != nullptr) check.Expect(*log);
    const Status status = check.Run(store);
    if (!status.ok()) findings.Fail(status);
  }
  return findings.Take(result);
}

}  // namespace waltax::mix
