// The linear congruential generator of java.util.Random, as its specification
// fixes it. The original's shuffles are defined by it, so an exact id space
// needs an exact generator; tests use it to reproduce recorded values.
#pragma once

#include <cstdint>

#include "driver/random.h"

namespace waltax::linkbench {

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

  double NextDouble() {
    const int64_t high = static_cast<int64_t>(Next(26)) << 27;
    return static_cast<double>(high + Next(27)) * 0x1.0p-53;
  }

  double NextGaussian() { return gaussian_.Next(*this); }

 private:
  static constexpr uint64_t kMultiplier = 0x5DEECE66DULL;
  static constexpr uint64_t kMask = (1ULL << 48) - 1;

  int32_t Next(int bits) {
    state_ = (state_ * kMultiplier + 0xB) & kMask;
    return static_cast<int32_t>(state_ >> (48 - bits));
  }

  uint64_t state_;
  PolarGaussian gaussian_;
};

}  // namespace waltax::linkbench
