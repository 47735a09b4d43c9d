#include "driver/distributions.h"

#include <algorithm>
#include <cmath>

namespace waltax {

namespace {

// log(1 + x) / x and (exp(x) - 1) / x, which are 1 at 0.
double LogOver(double x) {
  return std::abs(x) > 1e-8 ? std::log1p(x) / x : 1 - x / 2;
}
double ExpOver(double x) {
  return std::abs(x) > 1e-8 ? std::expm1(x) / x : 1 + x / 2;
}

}  // namespace

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

Exponential::Exponential(double percentile, double items)
    : gamma_(-std::log(1 - percentile / 100) / items) {}

double Exponential::Quantile(double p) const {
  return std::floor(-std::log1p(-p) / gamma_);
}

}  // namespace waltax
