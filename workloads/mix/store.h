// The seam between a mix and what stores it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/retry.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "workloads/mix/file.h"
#include "workloads/mix/values.h"

namespace waltax {
class RocksdbEngine;
struct RedisPlace;
namespace mariadb {
struct SqlPlace;
}
}  // namespace waltax

namespace waltax::mix {

// Conflicts after which an operation is an error.
inline constexpr int kMaxRetries = 100;

// An operation with all that was drawn for it.
struct Request {
  size_t operation = 0;
  // Of each draw its rows or numbers, from Draw::at on, and of each insert its
  // first row, at Step::at.
  std::vector<uint64_t> drawn;
  uint64_t stamp = 0;  // of all texts that it writes anew
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
  // The rows that it gets, puts, updates or deletes.
  [[nodiscard]] std::span<const uint64_t> rows() const {
    return {request.drawn.data() + step.at, step.rows};
  }
  // Where it stands among those of its operation.
  [[nodiscard]] size_t place() const {
    return static_cast<size_t>(&step - operation.steps.data());
  }
  // The `turn`th row that it inserts, puts, updates or deletes.
  [[nodiscard]] uint64_t written_row(size_t turn) const {
    return step.verb == Verb::kInsert ? request.drawn[step.at] + turn
                                      : rows()[turn];
  }
  // The first value of a draw, which may be a row.
  [[nodiscard]] uint64_t drawn(size_t draw) const {
    return request.drawn[operation.draws[draw].at];
  }
  // The place of the one that it picks of its `set` or `columns`; 0: it has
  // all.
  [[nodiscard]] size_t picked() const {
    return step.pick == kNone ? 0 : drawn(step.pick);
  }
  [[nodiscard]] bool picks(size_t place) const {
    return step.pick == kNone || picked() == place;
  }
  // How many rows a scan reads; 0: all.
  [[nodiscard]] uint64_t limit() const {
    return step.scan.most == kNone ? step.scan.limit : drawn(step.scan.most);
  }
  // What a number is set to in the `turn`th row, or what is added: a number, or
  // what was drawn, which of a row is its key.
  [[nodiscard]] int64_t number(const Assignment& value, size_t turn) const {
    if (value.draw == kNone) return value.number;
    const int64_t drawn = number(value.draw, turn);
    return value.negative ? -drawn : drawn;
  }
  [[nodiscard]] int64_t number(size_t draw, size_t turn) const {
    const Draw& of = operation.draws[draw];
    const uint64_t drawn = request.drawn[of.at + std::min(turn, of.count - 1)];
    return static_cast<int64_t>(of.is_row() ? values.KeyOf(of.table, drawn)
                                            : drawn);
  }
  // What a scan's first column equals; a text points into `row`. REQUIRES: the
  // scan wants equal ones.
  Cell scanned_value(Row* row) const {
    const Scan& scan = step.scan;
    if (!scan.of_row) return {number(scan.from, 0), {}};
    if (table().columns[scan.column].type == Type::kInt) {
      return {values.Initial(step.table, scan.column, drawn(scan.from)), {}};
    }
    values.Renew(step.table, scan.column, drawn(scan.from), kLoaded, row);
    return row->cells[scan.column];
  }

  // Makes the `turn`th row that it inserts or puts.
  void MakeRow(size_t turn, Row* row) const {
    const bool put = step.verb == Verb::kPut;
    values.Make(step.table, written_row(turn), put ? request.stamp : kLoaded,
                row);
    // New texts are there already.
    for (const Assignment& each : step.set) {
      if (table().columns[each.column].type != Type::kInt) continue;
      row->cells[each.column].number = number(each, turn);
    }
  }
  // Calls each(column) with each column that it sets in the `turn`th row, when
  // `row` has the new value.
  template <typename Each>
  void SetColumns(size_t turn, Row* row, const Each& each) const {
    row->Fit(table().columns.size());
    for (size_t i = 0; i < step.set.size(); ++i) {
      if (!picks(i)) continue;
      const size_t column = step.set[i].column;
      if (table().columns[column].type == Type::kInt) {
        row->cells[column].number = number(step.set[i], turn);
      } else {
        values.Renew(step.table, column, written_row(turn), request.stamp, row);
      }
      each(column);
    }
  }
};

// One client's access to the store. Not thread-safe; sessions of one store may
// run at the same time. One with a reason could not be opened: all that is
// asked of it fails for that reason. One without does nothing, and succeeds.
class Session {
 public:
  explicit Session(std::string why = "") : error_(std::move(why)) {}
  virtual ~Session() = default;
  // How it went, without the operation's number; an error is valid until the
  // next call.
  virtual Outcome Execute(const Request& /*request*/) {
    Outcome outcome;
    if (!error_.empty()) outcome.error = &error_;
    return outcome;
  }
  // By step of the last operation: the rows that it wrote.
  [[nodiscard]] const std::vector<uint32_t>& written() const {
    return written_;
  }

 protected:
  std::vector<uint32_t> written_;
  std::string error_;
};

// A session that does an operation's steps one after the other. An engine has
// its own status, and what follows of one row or one read. The values outlive
// it.
template <typename EngineStatus>
class StepSession : public Session {
 public:
  Outcome Execute(const Request& request) final;

 protected:
  explicit StepSession(const Values& values)
      : values_(values), mix_(values.mix()) {}

  // Calls Attempt(), and commits what it did, until that succeeds or is given
  // up; `first` is the first step of the commit. Adds 1 to `retries` for each
  // attempt that was made again.
  virtual EngineStatus CommitSteps(const Operation& operation,
                                   const Step& first, uint32_t* retries) = 0;
  // Why it was given up.
  virtual std::string Explain(const EngineStatus& status) = 0;
  // Read all rows of the step.
  virtual EngineStatus Get(const RequestStep& at) = 0;
  virtual EngineStatus ScanRows(const RequestStep& at) = 0;
  // Inserts or puts `new_row_`, the `turn`th.
  virtual EngineStatus Write(const RequestStep& at, size_t turn) = 0;
  // Updates or deletes the `turn`th, if it is there.
  virtual EngineStatus Change(const RequestStep& at, size_t turn) = 0;

  // Does the steps of the commit that is under way.
  EngineStatus Attempt();
  // To be called once for each row that is got or changed.
  void Count(const RequestStep& at, bool found) {
    ++(found ? reply_.found : reply_.not_found);
    if (found && at.step.writes()) ++written_[at.place()];
  }

  const Values& values_;
  const Mix& mix_;
  Outcome reply_;  // of the operation so far
  Row new_row_;

 private:
  const Request* request_ = nullptr;
  size_t first_ = 0;  // of the steps that are committed together
  size_t end_ = 0;
  Outcome before_;  // of the steps before those
};

template <typename EngineStatus>
Outcome StepSession<EngineStatus>::Execute(const Request& request) {
  const Operation& operation = mix_.operations[request.operation];
  const size_t steps = operation.steps.size();
  const size_t together = operation.commit == Commit::kEach ? 1 : steps;
  written_.assign(steps, 0);
  request_ = &request;
  reply_ = {};
  uint32_t retries = 0;
  for (first_ = 0; first_ < steps; first_ = end_) {
    end_ = first_ + together;
    before_ = reply_;
    const EngineStatus status =
        this->CommitSteps(operation, operation.steps[first_], &retries);
    reply_.retries = retries;
    if (status.ok()) continue;
    error_ = fmt::format("{} given up after {} retries: {}", operation.name,
                         reply_.retries, Explain(status));
    reply_.error = &error_;
    break;
  }
  return reply_;
}

template <typename EngineStatus>
EngineStatus StepSession<EngineStatus>::Attempt() {
  const Operation& operation = mix_.operations[request_->operation];
  EngineStatus status;
  reply_ = before_;
  for (size_t i = first_; i < end_ && status.ok(); ++i) {
    const RequestStep at = {values_, operation, *request_, operation.steps[i]};
    written_[i] = 0;
    if (at.step.verb == Verb::kGet) status = Get(at);
    if (at.step.verb == Verb::kScan) status = ScanRows(at);
    const bool made = at.step.verb <= Verb::kPut;
    for (size_t k = 0; k < at.step.most() && status.ok(); ++k) {
      if (made) at.MakeRow(k, &new_row_);
      status = made ? Write(at, k) : Change(at, k);
      if (made) ++written_[i];
    }
  }
  return status;
}

// A row; null: its bytes are none, or of kMisplaced it is on a node that does
// not own it.
inline constexpr uint64_t kMisplaced = UINT64_MAX;
using Visit = std::function<void(uint64_t number, const Row* row)>;
// The bytes of an entry of an index (codec.h).
using VisitEntry = std::function<void(std::string_view entry)>;

using RowReport = std::function<void(uint64_t rows)>;

// Thread-safe, except the scans, which want all sessions idle.
class Store {
 public:
  virtual ~Store() = default;
  // `seed` spreads the pauses between retries.
  virtual std::unique_ptr<Session> NewSession(uint64_t seed) = 0;
  // Shows all rows of a table.
  virtual Status Scan(size_t table, const Visit& visit) = 0;
  // Shows all entries of an index, which are read from it alone.
  virtual Status ScanIndex(size_t /*table*/, size_t /*index*/,
                           const VisitEntry& /*visit*/) {
    return Status::Ok();
  }
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

// A column family for each table and each index of an engine that was opened
// with the families of the mix. The engine and the values outlive the stores.
std::unique_ptr<Store> NewKvStore(RocksdbEngine& engine, const Values& values);
// A table for each table on a server: MyRocks or InnoDB. A load makes them in a
// database without any.
std::unique_ptr<Store> NewSqlStore(mariadb::SqlPlace place,
                                   const Values& values);
// A server that speaks the Redis protocol (redis/store.cc).
std::unique_ptr<Store> NewRedisStore(RedisPlace place, const Values& values);

}  // namespace waltax::mix
