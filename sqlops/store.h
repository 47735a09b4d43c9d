// The seam between the workload and what stores it: statements on one table of
// students, each of which commits by itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/status.h"
#include "driver/workload.h"
#include "sqlops/options.h"
#include "sqlops/student.h"

namespace waltax::sqlops {

// How a statement went. `rows`: that it returned, found or changed.
struct Reply {
  uint64_t rows = 0;
  bool changed = false;  // something was committed
  bool fatal = false;    // no later statement can succeed
  uint32_t retries = 0;
  // Null when it succeeded; otherwise owned by the session until its next call.
  const std::string* error = nullptr;
  // Of a session that shares connections: how long it waited for one, and how
  // long it had it; else nothing is said.
  struct Waited {
    int64_t for_connection_ns = 0;
    int64_t with_it_ns = 0;
  };
  std::optional<Waited> waited;
};

// One worker's access to the store. Not thread-safe; sessions of one store may
// run concurrently.
class Session {
 public:
  virtual ~Session() = default;
  virtual Reply Insert(const Student& student) = 0;
  virtual Reply Rename(uint64_t id, std::string_view name) = 0;
  virtual Reply Delete(uint64_t id) = 0;
  // A SELECT or an ORDER BY, whose rows are read to the last. `parameter` is
  // the s_id of a point, or the limit of an order.
  virtual Reply Read(Op op, uint64_t parameter) = 0;
};

// The rows that a read of a table with so many students returns; `parameter` as
// of Session::Read().
uint64_t WantedRows(Op op, uint64_t parameter, uint64_t students);

// Turns of a run: the numbers from `first` to before `next` were taken, and all
// but the `doubtful` ones acknowledged.
struct Turns {
  uint64_t first = 1;
  uint64_t next = 1;
  std::vector<uint64_t> doubtful;
};

// What a table must hold, beside what its data set says.
struct Expected {
  // Both empty: nobody knows what was inserted and deleted.
  std::optional<Turns> inserted;
  std::optional<Turns> deleted;
  Op op = Op::kInsert;  // by which a turn of an insert has its s_id
};

// What a run finds: the turns that its inserts and deletes begin with.
struct Before {
  uint64_t first_insert = 1;
  uint64_t first_delete = 1;
};

// Thread-safe, except Survey() and Check(), which want all sessions idle.
class Store {
 public:
  virtual ~Store() = default;
  // `seed` spreads the pauses between retries.
  virtual std::unique_ptr<Session> NewSession(uint64_t seed) = 0;
  virtual Status Survey(Before* before) = 0;
  // Verifies that every student is there once and holds what it must.
  virtual Status Check(const Expected& expected, CheckResult* result) = 0;
};

}  // namespace waltax::sqlops
