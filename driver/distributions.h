// The distributions that workloads share. Each has a quantile, and a Draw that
// is a template over the generator.
#pragma once

#include <cmath>
#include <cstdint>

#include "driver/random.h"

namespace waltax {

// The sum of 1 / k^shape for k from 1 to n, added up from its small end. Takes
// n calls of pow().
inline double HarmonicSum(uint64_t n, double shape) {
  double sum = 0;
  for (uint64_t k = n; k > 0; --k) {
    sum += 1 / std::pow(static_cast<double>(k), shape);
  }
  return sum;
}

// Zipf over the ranks [0, n), rank 0 the hottest, by the method of Gray et al.,
// "Quickly Generating Billion-Record Synthetic Databases" (SIGMOD 1994).
class Zipf {
 public:
  // `zeta` is HarmonicSum(n, shape), or an approximation of it. REQUIRES:
  // n > 0, shape > 0 and not 1.
  Zipf(uint64_t n, double shape, double zeta)
      : n_(n),
        n_as_double_(static_cast<double>(n)),
        zeta_(zeta),
        alpha_(1 / (1 - shape)),
        eta_((1 - std::pow(2 / n_as_double_, 1 - shape)) /
             (1 - HarmonicSum(2, shape) / zeta_)),
        second_(1 + std::pow(0.5, shape)) {}

  // The rank below which a share p of all draws falls; p in [0, 1).
  [[nodiscard]] uint64_t Quantile(double p) const {
    const double scaled = p * zeta_;
    if (scaled < 1) return 0;
    if (scaled < second_) return n_ > 1 ? 1 : 0;
    const double rank = n_as_double_ * std::pow(eta_ * p - eta_ + 1, alpha_);
    return rank >= n_as_double_ ? n_ - 1 : static_cast<uint64_t>(rank);
  }

  template <typename Rng>
  uint64_t Draw(Rng& rng) const {
    return Quantile(rng.NextDouble());
  }

 private:
  uint64_t n_;
  double n_as_double_;
  double zeta_;
  double alpha_;
  double eta_;
  double second_;
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

}  // namespace waltax
