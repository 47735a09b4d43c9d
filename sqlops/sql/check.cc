#include "sqlops/sql/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "driver/findings.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"
#include "sqlops/turns.h"

namespace waltax::sqlops {

namespace {

using mariadb::SqlStatus;
using mariadb::Statement;

// Calls `each(turn, doubtful)` with the turns of a run.
template <typename Each>
void ForTurns(const Turns& turns, const Each& each) {
  const std::unordered_set<uint64_t> doubtful(turns.doubtful.begin(),
                                              turns.doubtful.end());
  for (uint64_t turn = turns.first; turn < turns.next; ++turn) {
    each(turn, doubtful.contains(turn));
  }
}

// Looks at the rows in the order of their keys, each with all columns.
class StudentCheck {
 public:
  StudentCheck(const DataOptions& data, const Students& students,
               const Expected& expected)
      : data_(data), students_(students), expected_(expected) {}

  void Look(const Statement& row) {
    ++rows_;
    const uint64_t id = row.Unsigned(0);
    if (id <= data_.students) {
      Missing(id);
      next_ = id + 1;
    } else {
      beyond_.insert(id);
    }
    LookAtColumns(id, row);
  }

  void End() {
    Missing(data_.students + 1);
    findings_.Count("students", rows_);
    findings_.Count("renamed", renamed_);
    CheckDeleted();
    CheckInserted();
  }
  Status Take(CheckResult* result) { return findings_.Take(result); }

 private:
  void Report(uint64_t id, std::string_view what) {
    findings_.Violation(fmt::format("students: {} {}", id, what));
  }
  // Takes down what is missing from the last row on to before `end`.
  void Missing(uint64_t end) {
    for (; next_ < end; ++next_) missing_.insert(next_);
  }
  void LookAtColumns(uint64_t id, const Statement& row);
  void CheckDeleted();
  void CheckInserted();

  const DataOptions& data_;
  const Students& students_;
  const Expected& expected_;
  Findings findings_;
  Student wanted_;
  uint64_t next_ = 1;
  uint64_t rows_ = 0;
  uint64_t renamed_ = 0;
  std::unordered_set<uint64_t> missing_;  // of those that were loaded
  std::unordered_set<uint64_t> beyond_;   // that were not loaded
};

void StudentCheck::LookAtColumns(uint64_t id, const Statement& row) {
  students_.Write(id, &wanted_);
  const std::string_view name = row.Text(1);
  bool holds = row.Text(2) == wanted_.dob && row.Text(3) == wanted_.addr &&
               row.Unsigned(4) == wanted_.mobno && row.Text(5) == wanted_.email;
  for (size_t i = 0; i < 3; ++i) {
    holds = holds && row.Unsigned(6 + i) == wanted_.sub[i];
  }
  if (!holds || (name != wanted_.name && !IsNewName(name))) {
    findings_.Violation(
        fmt::format("columns: student {} holds what was never written", id));
  }
  renamed_ += name == wanted_.name ? 0 : 1;
}

void StudentCheck::CheckDeleted() {
  findings_.Count("deleted", missing_.size());
  const DeleteIds ids(data_.students);
  std::unordered_set<uint64_t> may_be_missing;
  const auto allow = [&](uint64_t turn, bool doubtful) {
    const uint64_t id = ids.Of(turn);
    may_be_missing.insert(id);
    if (expected_.deleted && !doubtful && !missing_.contains(id)) {
      Report(id, "is there, though its delete was acknowledged");
    }
  };
  const uint64_t gap = missing_.empty() ? 0 : kLargestGap;
  // What earlier runs deleted; of a run, what it did itself.
  const uint64_t before =
      expected_.deleted ? expected_.deleted->first : missing_.size() + gap + 1;
  for (uint64_t turn = 1; turn < std::min(before, ids.turns() + 1); ++turn) {
    may_be_missing.insert(ids.Of(turn));
  }
  if (expected_.deleted) ForTurns(*expected_.deleted, allow);
  for (const uint64_t id : missing_) {
    if (!may_be_missing.contains(id)) Report(id, "is missing");
  }
}

void StudentCheck::CheckInserted() {
  findings_.Count("inserted", beyond_.size());
  if (!expected_.inserted) return;
  const InsertIds ids(data_.students, expected_.op);
  ForTurns(*expected_.inserted, [&](uint64_t turn, bool doubtful) {
    if (doubtful || beyond_.contains(ids.Of(turn))) return;
    Report(ids.Of(turn), "is missing, though its insert was acknowledged");
  });
}

}  // namespace

Status CheckStudents(const SqlPlace& place, const DataOptions& data,
                     const Students& students, const Expected& expected,
                     CheckResult* result) {
  std::unique_ptr<mariadb::Connection> connection;
  std::unique_ptr<Statement> rows;
  Status status = mariadb::Connection::Open(place.server, &connection);
  if (status.ok()) {
    status = Statement::Prepare(
        connection.get(),
        "SELECT s_id, s_name, CAST(s_dob AS CHAR), s_addr, s_mobno, s_email, "
        "s_sub1, s_sub2, s_sub3 FROM student FORCE INDEX (PRIMARY) "
        "ORDER BY s_id",
        &rows);
  }
  if (!status.ok()) return status;
  StudentCheck check(data, students, expected);
  SqlStatus read = rows->Run();
  while (read.ok() && rows->Next(&read)) check.Look(*rows);
  if (!read.ok()) return mariadb::Explained(read, "check the data set");
  check.End();
  return check.Take(result);
}

}  // namespace waltax::sqlops
