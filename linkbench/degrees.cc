#include "linkbench/degrees.h"

#include <algorithm>
#include <cmath>

#include "linkbench/nlinks_table.h"

namespace waltax::linkbench {

OutDegrees::OutDegrees(const GraphOptions& options)
    : start_(options.startid1),
      ids_(static_cast<double>(options.ids())),
      types_(options.link_type_count),
      cap_(options.degree_cap),
      shuffle_(kDegreeShuffleSeed, options.ids()) {
  for (const DegreeKnot& knot : kDegreeKnots) {
    Row row{knot.cumulative_percent / 100, static_cast<double>(knot.value), 0};
    if (!rows_.empty() && row.value > rows_.back().value + 1) {
      row.slope =
          (row.value - rows_.back().value) / (row.share - rows_.back().share);
    }
    rows_.push_back(row);
  }
}

uint64_t OutDegrees::OfRank(uint64_t rank) const {
  const double share = 1 - static_cast<double>(rank) / ids_;
  auto row = rows_.begin();
  // Nine of ten nodes are in the first rows, so look there before halving.
  const auto near = row + 4;
  while (row != near && row->share < share) ++row;
  if (row == near) {
    row = std::lower_bound(
        near, rows_.end(), share,
        [](const Row& left, double right) { return left.share < right; });
  }
  return static_cast<uint64_t>(
      std::round(row->value - row->slope * (row->share - share)));
}

uint64_t OutDegrees::Total(uint64_t id1) const {
  // DEVIATION T13: rank 0 gets the largest value of the table at any scale,
  // unless --degree-cap says otherwise.
  const uint64_t total = OfRank(shuffle_.Inverse(id1 - start_));
  return cap_ == 0 ? total : std::min(total, cap_);
}

uint64_t OutDegrees::OfType(uint64_t id1, uint32_t type) const {
  const uint64_t total = Total(id1);
  const uint64_t share = total / types_;
  // DEVIATION T2: the remainder is total - share, not total mod types, so that
  // two types of a node with 6 links get 4 each.
  return share + (type < total - share ? 1 : 0);
}

}  // namespace waltax::linkbench
