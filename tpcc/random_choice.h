// Random choices among the rows of a table.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "driver/random.h"

namespace waltax::tpcc {

// Chooses a tenth of a number of rows: exactly as many, any set of them as
// likely as another.
class RandomTenth {
 public:
  explicit RandomTenth(uint32_t rows) : left_(rows), wanted_(rows / 10) {}
  bool Draw(Random& random) {
    const bool chosen = random.NextInt(left_--) < wanted_;
    if (chosen) --wanted_;
    return chosen;
  }

 private:
  uint32_t left_;
  uint32_t wanted_;
};

// The numbers from 1 to `count`, in any order as likely as in another.
inline void DrawPermutation(Random& random, uint32_t count,
                            std::vector<uint32_t>* numbers) {
  numbers->resize(count);
  std::iota(numbers->begin(), numbers->end(), 1);
  for (size_t left = count; left > 1; --left) {
    std::swap((*numbers)[left - 1], (*numbers)[random.NextInt(left)]);
  }
}

}  // namespace waltax::tpcc
