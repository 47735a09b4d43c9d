// How many links every node starts with. Nothing is stored: the loader and the
// requests compute it from the id.
#pragma once

#include <cstdint>
#include <vector>

#include "linkbench/options.h"
#include "linkbench/shuffle.h"

namespace waltax::linkbench {

// The out-degrees that were measured at Facebook (nlinks_table.h). Thread-safe
// after construction.
class OutDegrees {
 public:
  // REQUIRES: Validate() accepted the options.
  explicit OutDegrees(const GraphOptions& options);

  // Links of all types as the distribution has them, and of one type
  // (0-based). REQUIRES: startid1 <= id1 < maxid1.
  [[nodiscard]] uint64_t Total(uint64_t id1) const;
  [[nodiscard]] uint64_t OfType(uint64_t id1, uint32_t type) const;

  // The node that the distribution gives most links.
  [[nodiscard]] uint64_t HottestId() const {
    return start_ + shuffle_.Permute(0);
  }

 private:
  // At cumulative share `share` the distribution has reached `value`; `slope`
  // is that of the line from the row before, 0 for a step.
  struct Row {
    double share;
    double value;
    double slope;
  };

  [[nodiscard]] uint64_t OfRank(uint64_t rank) const;

  uint64_t start_;
  double ids_;
  uint64_t types_;
  uint64_t cap_;
  Shuffle shuffle_;
  std::vector<Row> rows_;
};

}  // namespace waltax::linkbench
