// Which record, and how much of it: the distributions of YCSB's core workloads.
// Each is a map from draws of a generator to record numbers, so that it can be
// held against values of the original.
#pragma once

#include <cstdint>

#include "driver/distributions.h"
#include "driver/random.h"

namespace waltax::ycsb {

inline constexpr double kZipfConstant = 0.99;

// The ranks of the original's "zipfian": of ten billion items and one whatever
// the number of records is, hashed onto `places` of them. Much flatter than a
// Zipf over the records.
class ScrambledZipf {
 public:
  explicit ScrambledZipf(uint64_t places);
  // The place below whose rank a share p of all draws falls; p in [0, 1).
  [[nodiscard]] uint64_t Quantile(double p) const;
  [[nodiscard]] uint64_t Rank(double p) const { return ranks_.Quantile(p); }
  uint64_t Draw(Random& random) const { return Quantile(random.NextDouble()); }

 private:
  Zipf ranks_;
  uint64_t places_;
};

// Zipf over [0, n) by rejection and inversion (Hoermann and Derflinger,
// "Rejection-inversion to generate variates from monotone discrete
// distributions", 1996): exact, in constant time, for every constant above 0.
class ExactZipf {
 public:
  ExactZipf(uint64_t n, double constant);
  uint64_t Draw(Random& random) const;

 private:
  [[nodiscard]] double Integral(double x) const;
  [[nodiscard]] double Inverse(double y) const;
  [[nodiscard]] double Density(double x) const;

  double n_;
  double constant_;
  double first_;  // the integral up to the lower end of what is drawn from
  double end_;
  double squeeze_;
};

// The original's Zipf over a number of items that grows, whose sum is carried
// on, and whose eta keeps the number that it began with.
class GrowingZipf {
 public:
  explicit GrowingZipf(uint64_t items);
  uint64_t Quantile(double p, uint64_t items);

 private:
  void Grow(uint64_t items);

  double first_items_;
  uint64_t summed_ = 0;
  double zeta_ = 0;
  double eta_ = 0;
};

// How far behind the newest record: `percentile` percent of all draws lie
// within `items`.
class Exponential {
 public:
  Exponential(double percentile, double items);
  [[nodiscard]] double Quantile(double p) const;
  double Draw(Random& random) const { return Quantile(random.NextDouble()); }

 private:
  double gamma_;
};

// A share of the operations goes to the first records, uniformly, and the rest
// to the others.
class Hotspot {
 public:
  Hotspot(uint64_t records, double data_fraction, double operation_fraction);
  uint64_t Draw(Random& random) const;
  [[nodiscard]] uint64_t hot() const { return hot_; }

 private:
  uint64_t records_;
  uint64_t hot_;
  double operation_fraction_;
};

// From `low` to `high`, both included: all the same, or the smaller the more
// often.
class Lengths {
 public:
  Lengths(uint64_t low, uint64_t high, bool zipfian);
  uint64_t Draw(Random& random) const {
    return low_ + (zipfian_ ? ranks_.Draw(random) : random.NextInt(count_));
  }
  [[nodiscard]] double Mean() const;
  [[nodiscard]] double Variance() const;

 private:
  [[nodiscard]] double Moment(int power) const;

  uint64_t low_;
  uint64_t count_;
  bool zipfian_;
  Zipf ranks_;
};

}  // namespace waltax::ycsb
