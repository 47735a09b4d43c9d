// Which record, and how much of it: the distributions of YCSB's core workloads.
// Each is a map from draws of a generator to record numbers, so that it can be
// held against values of the original.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "driver/distributions.h"
#include "driver/random.h"
#include "workloads/ycsb/keys.h"

namespace waltax::ycsb {

inline constexpr double kZipfConstant = 0.99;

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

// From `low` to `high`, both included: all the same, or the smaller the more
// often.
class Lengths {
 public:
  Lengths(uint64_t low, uint64_t high, bool zipfian)
      : low_(low),
        count_(high - low + 1),
        zipfian_(zipfian),
        ranks_(count_, kZipfConstant,
               zipfian ? HarmonicSum(count_, kZipfConstant) : 1) {}
  uint64_t Draw(Random& random) const {
    return low_ + (zipfian_ ? ranks_.Draw(random) : random.NextInt(count_));
  }
  [[nodiscard]] double Mean() const { return Moment(1); }
  [[nodiscard]] double Variance() const {
    return Moment(2) - Moment(1) * Moment(1);
  }

 private:
  // By quantiles of even distance, since the original's Zipf is an
  // approximation whose shares have no formula.
  [[nodiscard]] double Moment(int power) const {
    constexpr int kSteps = 200'000;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double p = (i + 0.5) / kSteps;
      const uint64_t beyond =
          zipfian_ ? ranks_.Quantile(p)
                   : static_cast<uint64_t>(static_cast<double>(count_) * p);
      sum += std::pow(static_cast<double>(low_ + beyond), power);
    }
    return sum / kSteps;
  }

  uint64_t low_;
  uint64_t count_;
  bool zipfian_;
  Zipf ranks_;
};

}  // namespace waltax::ycsb
