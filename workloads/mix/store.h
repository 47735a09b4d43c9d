// The seam between a mix and what stores it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "driver/answering.h"
#include "driver/status.h"
#include "workloads/mix/file.h"
#include "workloads/mix/values.h"

namespace waltax::mix {

// Conflicts after which an operation is an error.
inline constexpr int kMaxRetries = 100;

// An operation with all that was drawn for it.
struct Request {
  size_t operation = 0;
  // Of each draw its rows or numbers, from Draw::at on.
  std::vector<uint64_t> drawn;
  uint64_t stamp = 0;  // of all texts that it writes anew
  // By step: the first of the rows that it inserts.
  std::vector<uint64_t> inserted;
};

// A step of a request: what it is about, and what it makes of rows. All outlive
// it.
struct RequestStep {
  const Values& values;
  const Operation& operation;
  const Request& request;
  const Step& step;

  [[nodiscard]] const Table& table() const {
    return values.mix().tables[step.table];
  }
  // The rows that it gets, puts, updates or deletes. REQUIRES: it has a draw.
  [[nodiscard]] std::pair<const uint64_t*, size_t> rows() const {
    return {request.drawn.data() + operation.draws[step.row].at, step.rows};
  }
  // The `turn`th row that it inserts, puts, updates or deletes.
  [[nodiscard]] uint64_t written_row(size_t turn) const {
    if (step.verb != Verb::kInsert) return rows().first[turn];
    const auto place = static_cast<size_t>(&step - operation.steps.data());
    return request.inserted[place] + turn;
  }
  // Whether it writes or reads what stands at this place of its `set` or
  // `columns`: where it picks one, no other.
  [[nodiscard]] bool picks(size_t place) const {
    return step.pick == kNone ||
           request.drawn[operation.draws[step.pick].at] == place;
  }
  // How many rows a scan reads; 0: all.
  [[nodiscard]] uint64_t limit() const {
    return step.scan.most == kNone
               ? step.scan.limit
               : request.drawn[operation.draws[step.scan.most].at];
  }
  // The row that a scan begins with. REQUIRES: it begins with one.
  [[nodiscard]] uint64_t first_row() const {
    return request.drawn[operation.draws[step.scan.from].at];
  }
  // The number that a value is in the `turn`th row. REQUIRES: it is not kNew.
  [[nodiscard]] int64_t number(const Value& value, size_t turn) const;
  // The first column of what a scan goes by. REQUIRES: there is one.
  [[nodiscard]] size_t scanned_column() const {
    return step.scan.index == kNone
               ? table().key.columns.front()
               : table().indexes[step.scan.index].columns.front();
  }
  // The value of that column which a scan is of; a text points into `row`.
  // REQUIRES: the scan wants equal ones.
  Cell scanned_value(Row* row) const;

  // Makes the `turn`th row that it inserts or puts.
  void MakeRow(size_t turn, Row* row) const;
  // Calls each(column) with each column that it sets in the `turn`th row, when
  // `row` has the new value.
  template <typename Each>
  void SetColumns(size_t turn, Row* row, const Each& each) const {
    row->Fit(table().columns.size());
    for (size_t i = 0; i < step.set.size(); ++i) {
      if (!picks(i)) continue;
      const auto& [column, value] = step.set[i];
      if (value.kind == Value::Kind::kNew) {
        values.Renew(step.table, column, written_row(turn), request.stamp, row);
      } else {
        row->cells[column].number = number(value, turn);
      }
      each(column);
    }
  }
};

// How an operation went. `rows` are those of scans.
struct MixReply : Reply {
  uint32_t found_rows = 0;  // that were asked for by their keys
  uint32_t missing = 0;
};

// One client's access to the store. Not thread-safe; sessions of one store may
// run at the same time.
class Session : protected Answering<MixReply> {
 public:
  using Answering<MixReply>::Answering;
  virtual ~Session() = default;
  virtual MixReply Execute(const Request& /*request*/) { return Answer(); }
  // By step of the last operation: the rows that it wrote.
  [[nodiscard]] const std::vector<uint32_t>& written() const {
    return written_;
  }

 protected:
  std::vector<uint32_t> written_;
};

// A session that does an operation's steps one after the other. The values
// outlive it.
class StepSession : public Session {
 public:
  MixReply Execute(const Request& request) final;

 protected:
  // Why a commit was given up.
  struct Failure {
    std::string why;
    bool fatal;
  };

  explicit StepSession(const Values& values)
      : values_(values), mix_(values.mix()) {}
  // Does the steps from `first` to before `end` in one commit, and counts in
  // `written_` the rows that each wrote.
  virtual std::optional<Failure> CommitSteps(const Operation& operation,
                                             const Request& request,
                                             size_t first, size_t end,
                                             MixReply* reply) = 0;

  const Values& values_;
  const Mix& mix_;
};

// A row, or an entry of an index; null: its bytes are none, or of kMisplaced it
// is on a node that does not own it. The columns of an index alone have values.
inline constexpr uint64_t kMisplaced = UINT64_MAX;
using Visit = std::function<void(uint64_t number, const Row* row)>;

using RowReport = std::function<void(uint64_t rows)>;

// Thread-safe, except the scans, which want all sessions idle.
class Store {
 public:
  virtual ~Store() = default;
  // `seed` spreads the pauses between retries.
  virtual std::unique_ptr<Session> NewSession(uint64_t seed) = 0;
  // Shows all rows of a table; or with `index`, all its entries, read from the
  // index alone.
  virtual Status Scan(size_t table, size_t index, const Visit& visit) = 0;
  // Fills an empty store on several threads. `report` hears about every second,
  // on the calling one, of the rows so far; `bytes` are those of files.
  virtual Status Load(int /*threads*/, const RowReport& /*report*/,
                      uint64_t* /*rows*/, uint64_t* /*bytes*/) {
    return Status::Ok();
  }
  // Ends what a process that was killed left behind, before a run.
  virtual Status Recover() { return Status::Ok(); }
  // Adds what else there is to say of a slice, since the last call. REQUIRES:
  // all sessions are idle.
  virtual void AddToSlice(nlohmann::json* /*slice*/) {}
};

}  // namespace waltax::mix
