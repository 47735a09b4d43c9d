// An order of numbers in which neighbours lie far apart.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace waltax {

// A number of [0, n) for each of them. REQUIRES: n > 0.
class Scatter {
 public:
  explicit Scatter(uint64_t n) : n_(n) {
    constexpr double kGolden = 0.6180339887498949;
    step_ = std::max<uint64_t>(
        1, static_cast<uint64_t>(static_cast<double>(n) * kGolden));
    while (std::gcd(step_, n_) != 1) ++step_;
  }
  [[nodiscard]] uint64_t Place(uint64_t i) const {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(i) * step_ %
                                 n_);
  }

 private:
  uint64_t n_;
  uint64_t step_;
};

}  // namespace waltax
