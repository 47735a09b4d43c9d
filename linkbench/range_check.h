// The invariants of a LinkBench database, verified row by row, whatever keeps
// the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "driver/findings.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// A row of links, of the index, or of counts (then without id2 and link).
struct CheckRow {
  LinkKey key;
  LinkValue link;  // its data lives until the next row
  uint64_t count = 0;
};

// A table's rows, ascending by (id1, type), those of links then by id2.
class RowSource {
 public:
  virtual ~RowSource() = default;
  // Reads the next row. False after the last one and after a failure.
  virtual bool Next(CheckRow* row) = 0;
  [[nodiscard]] virtual Status status() const = 0;
};

// The three tables over the same id1s.
struct RangeSources {
  std::unique_ptr<RowSource> links;
  std::unique_ptr<RowSource> index;
  std::unique_ptr<RowSource> counts;
};

// Inclusive, so that ranges can cover every id that there may be.
struct IdRange {
  uint64_t first = 0;
  uint64_t last = UINT64_MAX;
};

// Covers all ids; cuts those from `low` to `high` into about as many ranges as
// `threads` need to be busy till the end.
std::vector<IdRange> CutIds(uint64_t low, uint64_t high, int threads);

// What one thread reads the tables with; ended before the next Open(), all
// that it opened.
class RangeReader {
 public:
  virtual ~RangeReader() = default;
  // `findings` takes what no row can say, such as a garbled one.
  virtual Status Open(const IdRange& range, Findings* findings,
                      RangeSources* sources) = 0;
};

// Merges links, index and counts over each of `ranges`, on `threads` threads
// with a reader each. For every (id1, type) the count must be the number of
// visible links, and table and index must hold the same links with the same
// visibility, time, version and data. Fails only when rows cannot be read.
Status CheckRanges(
    const std::vector<IdRange>& ranges, int threads,
    const std::function<Status(std::unique_ptr<RangeReader>*)>& new_reader,
    CheckResult* result);

}  // namespace waltax::linkbench
