#include "workloads/mix/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "driver/findings.h"

namespace waltax::mix {
namespace {

// By the numbers of rows: those that were loaded in a list, others in a map.
class ByRow {
 public:
  explicit ByRow(uint64_t loaded) : loaded_(loaded) {}
  uint64_t& operator[](uint64_t number) {
    return number < loaded_.size() ? loaded_[number] : others_[number];
  }
  // Those that are not 0, and 0 of loaded rows.
  template <typename Each>
  void ForAll(const Each& each) const {
    for (uint64_t i = 0; i < loaded_.size(); ++i) each(i, loaded_[i]);
    for (const auto& [number, value] : others_) each(number, value);
  }

 private:
  std::vector<uint64_t> loaded_;
  std::unordered_map<uint64_t, uint64_t> others_;
};

// What stands for an entry of a row: nothing, one that was seen, or any other.
constexpr uint64_t kNoRow = 0;
constexpr uint64_t kSeen = 1;

uint64_t EntryOf(const Table& table, const Index& index, const Row& row) {
  uint64_t hash = 0;
  for (const size_t place : index.columns) {
    const Cell& cell = row.cells[place];
    if (table.columns[place].type == Type::kInt) {
      hash = Mixed(hash ^ static_cast<uint64_t>(cell.number));
    } else {
      hash = Mixed(hash ^ std::hash<std::string_view>()(cell.text));
    }
  }
  return hash | 2;
}

class TableCheck {
 public:
  TableCheck(const Values& values, Store& store, size_t table,
             const TableState* state, AckCheck* acks, Findings* findings)
      : values_(values),
        store_(store),
        table_(table),
        what_(values.mix().tables[table]),
        state_(state),
        acks_(acks),
        findings_(*findings),
        rows_(what_.loaded_rows()),
        added_(what_.columns.size()),
        entries_(what_.indexes.size(), ByRow(what_.loaded_rows())) {}

  Status Run() {
    Status status =
        store_.Scan(table_, kNone, [this](uint64_t n, const Row* r) {
          ++count_;
          if (r != nullptr) return Look(n, *r);
          Report(n == kMisplaced ? "one is on a node that does not own it"
                                 : "one has bytes that are no row");
        });
    findings_.Count(what_.name, count_);
    if (status.ok()) CheckRows();
    if (status.ok() && state_ != nullptr) CheckRun();
    for (size_t i = 0; i < what_.indexes.size() && status.ok(); ++i) {
      status = CheckIndex(i);
    }
    return status;
  }

 private:
  void Report(const std::string& sentence) {
    findings_.Violation(what_.name + ": " + sentence);
  }
  void Report(uint64_t number, std::string_view sentence) {
    Report(fmt::format("row {} {}", number, sentence));
  }

  void Look(uint64_t number, const Row& row) {
    if (acks_ != nullptr) acks_->See(table_, number, row);
    uint64_t last = what_.inserted || what_.shared ? UINT64_MAX : what_.rows;
    if (what_.inserted && state_ != nullptr)
      last = std::max(what_.loaded_rows(), state_->rows.next());
    if (number >= last) return Report(number, "was never written");
    rows_[number] = kSeen;
    for (size_t i = 0; i < what_.columns.size(); ++i) {
      if (!Holds(number, i, row.cells[i])) {
        Report(number, what_.columns[i].name + " holds what was never written");
      }
    }
    for (size_t i = 0; i < what_.indexes.size(); ++i) {
      entries_[i][number] = EntryOf(what_, what_.indexes[i], row);
    }
  }

  bool Holds(uint64_t number, size_t column, const Cell& cell) {
    const Changes& changes = what_.columns[column].changes;
    if (what_.columns[column].type != Type::kInt) {
      const std::optional<uint64_t> stamp =
          values_.StampOf(table_, column, number, cell.text);
      return stamp && (*stamp == kLoaded || changes.renewed || what_.shared);
    }
    if (changes.set) return true;
    const int64_t initial = values_.Initial(table_, column, number);
    if (changes.added) added_[column] += cell.number - initial;
    return changes.added || what_.shared || cell.number == initial;
  }

  void CheckRows() {
    if (what_.deleted) return;
    for (uint64_t i = 0; i < what_.loaded_rows(); ++i) {
      if (rows_[i] == kNoRow) Report(i, "is missing");
    }
  }

  void CheckRun() {
    if (state_->doubtful) return;
    const TableRows& rows = state_->rows;
    if (what_.deleted) {
      CheckCount();
    } else {
      for (uint64_t i = state_->before.next; i < rows.next(); ++i) {
        if (rows_[i] != kNoRow) continue;
        Report(i, "is missing, though its insert was acknowledged");
      }
      for (uint64_t i = 0; what_.put && i < what_.rows; ++i) {
        if (rows.WasPut(i) && rows_[i] == kNoRow) {
          Report(i, "is missing, though its write was acknowledged");
        }
      }
    }
    for (size_t i = 0; i < what_.columns.size(); ++i) CheckSum(i);
  }

  void CheckCount() {
    if (what_.put) return;
    const uint64_t inserted = state_->rows.next() - state_->before.next;
    const uint64_t want = state_->before.rows + inserted - state_->deleted;
    if (count_ == want) return;
    Report(fmt::format("{} rows are there, and {} should be", count_, want));
  }

  void CheckSum(size_t column) {
    if (!what_.columns[column].changes.counter) return;
    const int64_t want = state_->before.added[column] + state_->added[column];
    if (added_[column] == want) return;
    findings_.Violation(fmt::format(
        "{}.{}: all rows together had {} added, and {} was acknowledged",
        what_.name, what_.columns[column].name, added_[column], want));
  }

  Status CheckIndex(size_t index) {
    ByRow& entries = entries_[index];
    const Index& of = what_.indexes[index];
    const std::string name = what_.name + "." + of.name;
    const auto report = [&](uint64_t number, std::string_view sentence) {
      findings_.Violation(fmt::format("{}: row {} {}", name, number, sentence));
    };
    uint64_t count = 0;
    const Status status =
        store_.Scan(table_, index, [&](uint64_t number, const Row* row) {
          ++count;
          if (row == nullptr) {
            findings_.Violation(name + ": one has bytes that are no entry");
            return;
          }
          uint64_t& entry = entries[number];
          if (entry == EntryOf(what_, of, *row)) {
            entry = kSeen;
          } else if (entry == kNoRow) {
            report(number, "has an entry, and is not there");
          } else {
            report(number, "has an entry of other values, or two");
          }
        });
    findings_.Count(name, count);
    if (!status.ok()) return status;
    entries.ForAll([&](uint64_t number, uint64_t entry) {
      if (entry != kNoRow && entry != kSeen) report(number, "has no entry");
    });
    return status;
  }

  const Values& values_;
  Store& store_;
  size_t table_;
  const Table& what_;
  const TableState* state_;
  AckCheck* acks_;
  Findings& findings_;
  ByRow rows_;
  std::vector<int64_t> added_;
  std::vector<ByRow> entries_;
  uint64_t count_ = 0;
};

}  // namespace

Status Survey(const Values& values, Store* store, TableStates* states) {
  Status status;
  for (size_t i = 0; i < values.mix().tables.size() && status.ok(); ++i) {
    const Table& table = values.mix().tables[i];
    Before before = {table.loaded_rows(), table.loaded_rows(), 0,
                     std::vector<int64_t>(table.columns.size())};
    const bool added =
        std::any_of(table.columns.begin(), table.columns.end(),
                    [](const Column& each) { return each.changes.added; });
    if (store != nullptr && (table.inserted || table.deleted || added)) {
      before.rows = 0;
      before.oldest = UINT64_MAX;
      status = store->Scan(i, kNone, [&](uint64_t number, const Row* row) {
        if (row == nullptr) return;
        ++before.rows;
        before.next = std::max(before.next, number + 1);
        before.oldest = std::min(before.oldest, number);
        for (size_t column = 0; column < table.columns.size(); ++column) {
          if (!table.columns[column].changes.counter) continue;
          before.added[column] +=
              row->cells[column].number - values.Initial(i, column, number);
        }
      });
      before.oldest = std::min(before.oldest, before.next);
    }
    states->push_back(std::make_unique<TableState>(table, std::move(before)));
  }
  return status;
}

Status Check(const Values& values, Store& store, const TableStates* states,
             AckCheck* acks, CheckResult* result) {
  Findings findings;
  for (size_t i = 0; i < values.mix().tables.size(); ++i) {
    const TableState* const state = states ? (*states)[i].get() : nullptr;
    const Status status =
        TableCheck(values, store, i, state, acks, &findings).Run();
    if (!status.ok()) findings.Fail(status);
  }
  if (acks != nullptr) acks->Tell(&findings);
  return findings.Take(result);
}

}  // namespace waltax::mix
