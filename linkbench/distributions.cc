#include "linkbench/distributions.h"

namespace waltax::linkbench {

namespace {

// Below this many items the original sums the series; from there on it uses a
// closed form, which differs in the third digit and so decides the ranks.
constexpr uint64_t kExactSumLimit = 100'000;
constexpr double kEulerMascheroni = 0.5772156649015329;

double HarmonicSum(uint64_t n, double shape) {
  double sum = 0;
  for (uint64_t k = n; k > 0; --k) {
    sum += 1 / std::pow(static_cast<double>(k), shape);
  }
  return sum;
}

double Zeta(uint64_t n, double shape) {
  if (n < kExactSumLimit || shape > 1) return HarmonicSum(n, shape);
  const auto items = static_cast<double>(n);
  if (shape == 1) return std::log(items) + kEulerMascheroni;
  const double inverse = 1 / (1 - shape);
  return inverse * std::pow(items, 1 - shape) + 0.58 - inverse;
}

}  // namespace

Zipf::Zipf(uint64_t n, double shape)
    : n_(n),
      n_as_double_(static_cast<double>(n)),
      zeta_(Zeta(n, shape)),
      alpha_(1 / (1 - shape)),
      eta_((1 - std::pow(2 / n_as_double_, 1 - shape)) /
           (1 - HarmonicSum(2, shape) / zeta_)),
      second_(1 + std::pow(0.5, shape)) {}

}  // namespace waltax::linkbench
