// From rank (0 = hottest) to place in the id space, and back.
//
// The ids are split into at most 1,024 residue classes; each class is rotated
// by an amount that java.util.Random draws from a fixed seed. Being exact here
// makes the hot nodes the original's, and the hot nodes of reads those of
// writes.
#pragma once

#include <cstdint>
#include <vector>

namespace waltax::linkbench {

// Seeds of the original's three shuffles. Out-degrees, correlated reads and
// correlated writes share the first.
inline constexpr int64_t kDegreeShuffleSeed = 20343988438726021;
inline constexpr int64_t kUncorrelatedShuffleSeed = 53238253823453;
inline constexpr int64_t kNodeShuffleSeed = 4766565305853767165;

// Thread-safe after construction: it is immutable.
class Shuffle {
 public:
  // Over the offsets [0, n). REQUIRES: 0 < n <= kMaxOffsets.
  Shuffle(int64_t seed, uint64_t n);

  // DEVIATION T18: the original overflows silently beyond this many ids.
  static constexpr uint64_t kMaxOffsets = (1ULL << 31) - 1;

  // Both REQUIRE an argument below n.
  [[nodiscard]] uint64_t Permute(uint64_t i) const;
  [[nodiscard]] uint64_t Inverse(uint64_t i) const;

 private:
  [[nodiscard]] uint64_t Rotate(uint64_t i, uint64_t group, bool big,
                                uint64_t rotation) const;

  uint64_t n_;
  uint64_t groups_;
  uint64_t small_size_;  // members of a small class; big classes have one more
  uint64_t big_groups_;  // the first this many classes are big
  uint64_t rounded_down_;
  uint64_t rounded_up_;
  std::vector<uint32_t> rotations_;
};

}  // namespace waltax::linkbench
