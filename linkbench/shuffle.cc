#include "linkbench/shuffle.h"

#include <algorithm>

namespace waltax::linkbench {

namespace {
constexpr uint64_t kGroups = 1024;
}  // namespace

Shuffle::Shuffle(int64_t seed, uint64_t n)
    : n_(n),
      groups_(std::min(kGroups, n)),
      small_size_(n / groups_),
      big_groups_(n % groups_),
      rounded_down_(small_size_ * groups_),
      rounded_up_(big_groups_ == 0 ? rounded_down_ : rounded_down_ + groups_) {
  JavaRandom random(seed);
  rotations_.reserve(groups_);
  for (uint64_t g = 0; g < groups_; ++g) {
    rotations_.push_back(static_cast<uint32_t>(random.NextInt(small_size_)));
  }
}

uint64_t Shuffle::Permute(uint64_t i) const {
  const uint64_t group = i % groups_;
  return Rotate(i, group, group < big_groups_, rotations_[group]);
}

uint64_t Shuffle::Inverse(uint64_t i) const {
  const uint64_t group = i % groups_;
  const bool big = group < big_groups_;
  return Rotate(i, group, big, small_size_ + (big ? 1 : 0) - rotations_[group]);
}

uint64_t Shuffle::Rotate(uint64_t i, uint64_t group, bool big,
                         uint64_t rotation) const {
  uint64_t j = i + groups_ * rotation;
  if (j < n_) return j;
  // At most two rounds, so subtracting is cheaper than dividing.
  const uint64_t ring = big ? rounded_up_ : rounded_down_;
  while (j >= ring) j -= ring;
  return j < n_ ? j : group;
}

}  // namespace waltax::linkbench
