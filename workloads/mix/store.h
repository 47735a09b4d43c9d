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

// A row, or an entry of an index; null: its bytes are none. The columns of an
// index alone have values.
using Visit = std::function<void(uint64_t number, const Row* row)>;

// Thread-safe, except the scans, which want all sessions idle.
class Store {
 public:
  virtual ~Store() = default;
  // `seed` spreads the pauses between retries.
  virtual std::unique_ptr<Session> NewSession(uint64_t seed) = 0;
  // Shows all rows of a table; or with `index`, all its entries, read from the
  // index alone.
  virtual Status Scan(size_t table, size_t index, const Visit& visit) = 0;
};

}  // namespace waltax::mix
