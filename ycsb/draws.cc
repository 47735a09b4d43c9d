#include "ycsb/draws.h"

#include <algorithm>
#include <cmath>

#include "ycsb/keys.h"

namespace waltax::ycsb {

namespace {

// The original's number of items, and the sum that it carries for them.
constexpr uint64_t kRanks = 10'000'000'001;
constexpr double kRanksZeta = 26.46902820178302;

double ZetaOfTwo() { return HarmonicSum(2, kZipfConstant); }

// log(1 + x) / x and (exp(x) - 1) / x, which are 1 at 0.
double LogOver(double x) {
  return std::abs(x) > 1e-8 ? std::log1p(x) / x : 1 - x / 2;
}
double ExpOver(double x) {
  return std::abs(x) > 1e-8 ? std::expm1(x) / x : 1 + x / 2;
}

}  // namespace

ScrambledZipf::ScrambledZipf(uint64_t places)
    : ranks_(kRanks, kZipfConstant, kRanksZeta), places_(places) {}

uint64_t ScrambledZipf::Quantile(double p) const {
  return Fnv64(ranks_.Quantile(p)) % places_;
}

ExactZipf::ExactZipf(uint64_t n, double constant)
    : n_(static_cast<double>(n)),
      constant_(constant),
      first_(Integral(1.5) - 1),
      end_(Integral(n_ + 0.5)),
      squeeze_(2 - Inverse(Integral(2.5) - Density(2))) {}

// Of x^-constant, from 1 on.
double ExactZipf::Integral(double x) const {
  const double log_x = std::log(x);
  return ExpOver((1 - constant_) * log_x) * log_x;
}

double ExactZipf::Inverse(double y) const {
  const double scaled = std::max(-1.0, y * (1 - constant_));
  return std::exp(LogOver(scaled) * y);
}

double ExactZipf::Density(double x) const {
  return std::exp(-constant_ * std::log(x));
}

uint64_t ExactZipf::Draw(Random& random) const {
  while (true) {
    const double y = end_ + random.NextDouble() * (first_ - end_);
    const double x = Inverse(y);
    const double k = std::clamp(std::floor(x + 0.5), 1.0, n_);
    if (k - x <= squeeze_ || y >= Integral(k + 0.5) - Density(k)) {
      return static_cast<uint64_t>(k) - 1;
    }
  }
}

GrowingZipf::GrowingZipf(uint64_t items)
    : first_items_(static_cast<double>(items)) {
  Grow(items);
}

void GrowingZipf::Grow(uint64_t items) {
  while (summed_ < items) {
    ++summed_;
    zeta_ += 1 / std::pow(static_cast<double>(summed_), kZipfConstant);
  }
  eta_ = (1 - std::pow(2 / first_items_, 1 - kZipfConstant)) /
         (1 - ZetaOfTwo() / zeta_);
}

uint64_t GrowingZipf::Quantile(double p, uint64_t items) {
  if (items > summed_) Grow(items);
  const double scaled = p * zeta_;
  if (scaled < 1) return 0;
  if (scaled < 1 + std::pow(0.5, kZipfConstant)) return 1;
  const double rank = static_cast<double>(items) *
                      std::pow(eta_ * p - eta_ + 1, 1 / (1 - kZipfConstant));
  return std::min(items - 1, static_cast<uint64_t>(rank));
}

Exponential::Exponential(double percentile, double items)
    : gamma_(-std::log(1 - percentile / 100) / items) {}

double Exponential::Quantile(double p) const {
  return std::floor(-std::log1p(-p) / gamma_);
}

Hotspot::Hotspot(uint64_t records, double data_fraction,
                 double operation_fraction)
    : records_(records),
      hot_(static_cast<uint64_t>(static_cast<double>(records) * data_fraction)),
      operation_fraction_(operation_fraction) {}

uint64_t Hotspot::Draw(Random& random) const {
  if (random.NextDouble() < operation_fraction_) return random.NextInt(hot_);
  return hot_ + random.NextInt(records_ - hot_);
}

Lengths::Lengths(uint64_t low, uint64_t high, bool zipfian)
    : low_(low),
      count_(high - low + 1),
      zipfian_(zipfian),
      ranks_(count_, kZipfConstant,
             zipfian ? HarmonicSum(count_, kZipfConstant) : 1) {}

double Lengths::Mean() const { return Moment(1); }

double Lengths::Variance() const { return Moment(2) - Moment(1) * Moment(1); }

// By quantiles of even distance, since the original's Zipf is an approximation
// whose shares have no formula.
double Lengths::Moment(int power) const {
  constexpr int kSteps = 200'000;
  const auto value = [&](double p) {
    const auto uniform = static_cast<uint64_t>(static_cast<double>(count_) * p);
    return static_cast<double>(low_ +
                               (zipfian_ ? ranks_.Quantile(p) : uniform));
  };
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    sum += std::pow(value((i + 0.5) / kSteps), power);
  }
  return sum / kSteps;
}

}  // namespace waltax::ycsb
