// What YCSB's core workloads draw by. Each is a map from draws of a generator
// to record numbers, so that it can be held against values of the original.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "driver/distributions.h"
#include "driver/random.h"

namespace waltax::mix {

inline constexpr double kZipfConstant = 0.99;

// FNV-1a of the eight bytes of `number`, lowest first, as in Java: the
// absolute value of a signed result.
constexpr uint64_t Fnv64(uint64_t number) {
  uint64_t hash = 0xCBF29CE484222325ULL;
  for (int i = 0; i < 8; ++i) {
    hash ^= number & 0xFF;
    hash *= 1'099'511'628'211ULL;
    number >>= 8;
  }
  return hash >> 63 != 0 ? 0 - hash : hash;
}

// The ranks of the original's "zipfian": of ten billion items and one whatever
// the number of records is, hashed onto `places` of them. Much flatter than a
// Zipf over the records.
class ScrambledZipf {
 public:
  explicit ScrambledZipf(uint64_t places)
      : ranks_(kRanks, kZipfConstant, kRanksZeta), places_(places) {}
  // The place below whose rank a share p of all draws falls; p in [0, 1).
  [[nodiscard]] uint64_t Quantile(double p) const {
    return Fnv64(Rank(p)) % places_;
  }
  [[nodiscard]] uint64_t Rank(double p) const { return ranks_.Quantile(p); }
  uint64_t Draw(Random& random) const { return Quantile(random.NextDouble()); }

 private:
  // The original's number of items, and the sum that it carries for them.
  static constexpr uint64_t kRanks = 10'000'000'001;
  static constexpr double kRanksZeta = 26.46902820178302;

  Zipf ranks_;
  uint64_t places_;
};

// The original's Zipf over a number of items that grows, whose sum is carried
// on, and whose eta keeps the number that it began with.
class GrowingZipf {
 public:
  explicit GrowingZipf(uint64_t items)
      : first_items_(static_cast<double>(items)) {
    Grow(items);
  }
  uint64_t Quantile(double p, uint64_t items) {
    if (items > summed_) Grow(items);
    const double scaled = p * zeta_;
    if (scaled < 1) return 0;
    if (scaled < 1 + std::pow(0.5, kZipfConstant)) return 1;
    const double rank = static_cast<double>(items) *
                        std::pow(eta_ * p - eta_ + 1, 1 / (1 - kZipfConstant));
    return std::min(items - 1, static_cast<uint64_t>(rank));
  }

 private:
  void Grow(uint64_t items) {
    while (summed_ < items) {
      ++summed_;
      zeta_ += 1 / std::pow(static_cast<double>(summed_), kZipfConstant);
    }
    eta_ = (1 - std::pow(2 / first_items_, 1 - kZipfConstant)) /
           (1 - HarmonicSum(2, kZipfConstant) / zeta_);
  }

  double first_items_;
  uint64_t summed_ = 0;
  double zeta_ = 0;
  double eta_ = 0;
};

}  // namespace waltax::mix
