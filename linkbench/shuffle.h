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

// The linear congruential generator of java.util.Random, as its specification
// fixes it. The original's shuffles are defined by it, so an exact id space
// needs an exact generator.
// Not thread-safe.
class JavaRandom {
 public:
  explicit JavaRandom(int64_t seed)
      : state_((static_cast<uint64_t>(seed) ^ kMultiplier) & kMask) {}

  // Uniform in [0, n). REQUIRES: 0 < n < 2^31.
  uint64_t NextInt(uint64_t n) {
    const auto bound = static_cast<int32_t>(n);
    if ((bound & -bound) == bound) {
      return (n * static_cast<uint64_t>(Next(31))) >> 31;
    }
    int32_t bits = 0;
    int32_t value = 0;
    do {
      bits = Next(31);
      value = bits % bound;
    } while (static_cast<int64_t>(bits) - value + (bound - 1) > INT32_MAX);
    return static_cast<uint64_t>(value);
  }

 protected:
  int32_t Next(int bits) {
    state_ = (state_ * kMultiplier + 0xB) & kMask;
    return static_cast<int32_t>(state_ >> (48 - bits));
  }

 private:
  static constexpr uint64_t kMultiplier = 0x5DEECE66DULL;
  static constexpr uint64_t kMask = (1ULL << 48) - 1;

  uint64_t state_;
};

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
