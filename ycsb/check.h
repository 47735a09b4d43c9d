// Verifies a table of records in the order of its keys, wherever it is stored.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "driver/status.h"
#include "driver/workload.h"
#include "ycsb/records.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

// The keys from `first` on and before `end`, in bytes; empty: without end.
struct KeyRange {
  std::string first;
  std::string end;
};

// A row as it is stored. Its views live until the next one is read.
struct StoredRow {
  std::string_view key;
  Row row;
  bool garbled = false;  // `row` says nothing
};

// The rows of a range in ascending order of their keys. Used by one thread.
class RowSource {
 public:
  virtual ~RowSource() = default;
  // False at the end, and when the store cannot be read.
  virtual bool Next(StoredRow* row) = 0;
  [[nodiscard]] virtual Status status() const = 0;
};

// Opens the rows of a range; thread-safe.
using OpenRows =
    std::function<Status(const KeyRange&, std::unique_ptr<RowSource>*)>;

// What CheckResult::counted calls the sum of the records' counters, and the
// sentence about one that is another than it must be.
inline constexpr char kCountersName[] = "read-modify-writes";
std::string WrongCounters(uint64_t found, uint64_t acknowledged);

// Verifies on `threads` threads that the records which a data set has, and
// those that were inserted, are there once, and no others; that their fields
// hold what they must; that none is on a node that does not own it, where the
// table is one node's; and that their counters add up. Fails only when the
// store cannot be read.
Status CheckRecords(const RecordModel& records, const Expected& expected,
                    int threads, const OpenRows& open, CheckResult* result);

// Counts all rows, on one thread.
Status SurveyRecords(const OpenRows& open, Totals* totals);

}  // namespace waltax::ycsb
