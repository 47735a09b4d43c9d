// The seam between a mix and what stores it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
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

// The number that a step gives to a column of the `turn`th row that it writes.
// REQUIRES: the value is not kNew.
inline int64_t NumberOf(const Values& values, const Operation& operation,
                        const Request& request, const Value& value,
                        size_t turn) {
  if (value.kind == Value::Kind::kNumber) return value.number;
  const Draw& draw = operation.draws[value.draw];
  const size_t place = draw.at + (turn < draw.count ? turn : draw.count - 1);
  const uint64_t drawn = request.drawn[place];
  const auto number = static_cast<int64_t>(
      draw.is_row() ? values.KeyOf(draw.table, drawn) : drawn);
  return value.negative ? -number : number;
}

// What rows a step gets, puts, updates or deletes. REQUIRES: it has a draw.
inline std::pair<const uint64_t*, size_t> RowsOf(const Operation& operation,
                                                 const Step& step,
                                                 const Request& request) {
  return {request.drawn.data() + operation.draws[step.row].at, step.rows};
}

// Whether an operation writes or reads what stands at this place of a step's
// `set` or `columns`: where it picks one, no other.
inline bool Picks(const Operation& operation, const Step& step,
                  const Request& request, size_t place) {
  return step.pick == kNone ||
         request.drawn[operation.draws[step.pick].at] == place;
}

// How many rows a scan reads; 0: all.
inline uint64_t LimitOf(const Operation& operation, const Step& step,
                        const Request& request) {
  const Scan& scan = step.scan;
  return scan.most == kNone ? scan.limit
                            : request.drawn[operation.draws[scan.most].at];
}

// The first column of what a scan goes by. REQUIRES: there is one.
inline size_t FirstOf(const Table& table, const Scan& scan) {
  return scan.index == kNone ? table.key.columns.front()
                             : table.indexes[scan.index].columns.front();
}

// The value of that column which a scan is of; a text points into `row`.
// REQUIRES: the scan wants equal ones.
inline Cell ValueOfScan(const Values& values, const Operation& operation,
                        const Step& step, const Request& request, Row* row) {
  const Table& table = values.mix().tables[step.table];
  const size_t column = FirstOf(table, step.scan);
  const Draw& draw = operation.draws[step.scan.from];
  if (draw.table != step.table ||
      table.columns[column].references == step.table) {
    const Value drawn{Value::Kind::kDraw, 0, step.scan.from, false};
    return {NumberOf(values, operation, request, drawn, 0), {}};
  }
  // Of a row of the table itself, what it had when it was loaded.
  const uint64_t number = request.drawn[draw.at];
  if (table.columns[column].type == Type::kInt) {
    return {values.Initial(step.table, column, number), {}};
  }
  values.Renew(step.table, column, number, kLoaded, row);
  return row->cells[column];
}

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
  // Adds what all sessions of the store counted together since the last call.
  virtual void AddCounters(nlohmann::json* /*counters*/) {}

 protected:
  std::vector<uint32_t> written_;
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
