// The distributions a request draws from. Each has a quantile or a Draw that is
// a template over the generator, so that recorded values of java.util.Random
// test the very code that runs with the fast one.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include "linkbench/options.h"
#include "linkbench/shuffle.h"

namespace waltax::linkbench {

// Zipf over the ranks [0, n), rank 0 the hottest, by the method of Gray et al.,
// "Quickly Generating Billion-Record Synthetic Databases" (SIGMOD 1994).
class Zipf {
 public:
  // REQUIRES: n > 0, shape > 0.
  Zipf(uint64_t n, double shape);

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

// Number of trials up to the first success, moved up by `min` and cut at
// `max` - 1.
class Geometric {
 public:
  Geometric(uint64_t min, uint64_t max, double probability)
      : min_(min), max_(max), log_failure_(std::log(1 - probability)) {}

  // DEVIATION T3: the support starts at min + 1 (min only for p == 0 exactly),
  // so that the mean is min + 1 / probability, one more than documented.
  [[nodiscard]] uint64_t Quantile(double p) const {
    if (p == 0) return min_;
    const double trials = std::ceil(std::log(1 - p) / log_failure_);
    const auto limit = static_cast<double>(max_ - 1 - min_);
    return trials >= limit ? max_ - 1 : min_ + static_cast<uint64_t>(trials);
  }

  template <typename Rng>
  uint64_t Draw(Rng& rng) const {
    return Quantile(rng.NextDouble());
  }

 private:
  uint64_t min_;
  uint64_t max_;
  double log_failure_;
};

// Payload sizes: log-normal with sigma 1, rounded, in [0, max).
class LogNormal {
 public:
  LogNormal(double median, uint64_t max) : mu_(std::log(median)), max_(max) {}

  template <typename Rng>
  uint64_t Draw(Rng& rng) const {
    const double value = std::floor(std::exp(rng.NextGaussian() + mu_) + 0.5);
    return value >= static_cast<double>(max_) ? max_ - 1
                                              : static_cast<uint64_t>(value);
  }

 private:
  double mu_;
  uint64_t max_;
};

// Which id a request touches: a rank from a distribution, moved to its place by
// a shuffle. Thread-safe after construction.
class AccessDistribution {
 public:
  AccessDistribution(const AccessOptions& options, uint64_t n,
                     std::shared_ptr<const Shuffle> shuffle)
      : function_(options.function),
        n_(n),
        zipf_(n, options.shape),
        geometric_(0, n, options.probability),
        shuffle_(std::move(shuffle)) {}

  // An offset in [0, n).
  template <typename Rng>
  uint64_t Draw(Rng& rng) const {
    return shuffle_->Permute(DrawRank(rng));
  }

  template <typename Rng>
  uint64_t DrawRank(Rng& rng) const {
    switch (function_) {
      case AccessFunction::kZipf:
        return zipf_.Draw(rng);
      case AccessFunction::kUniform:
        return rng.NextInt(n_);
      case AccessFunction::kGeometric:
        return geometric_.Draw(rng);
    }
    return 0;
  }

 private:
  AccessFunction function_;
  uint64_t n_;
  Zipf zipf_;
  Geometric geometric_;
  std::shared_ptr<const Shuffle> shuffle_;
};

}  // namespace waltax::linkbench
