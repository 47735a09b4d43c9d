// The non-uniform random numbers of clause 2.1.6.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/random.h"

namespace waltax::tpcc {

// Uniform in [low, high] (clause 2.1.5).
inline uint32_t Uniform(Random& random, uint32_t low, uint32_t high) {
  return low + static_cast<uint32_t>(random.NextInt(high - low + 1));
}

// A field that is drawn by NURand(a, low, high). Its C, a constant within
// [0, a], decides which values are the frequent ones.
struct NuRandField {
  uint32_t a;
  uint32_t low;
  uint32_t high;

  [[nodiscard]] uint32_t Draw(Random& random, uint32_t c) const {
    const uint32_t skewed = Uniform(random, 0, a) | Uniform(random, low, high);
    return (skewed + c) % (high - low + 1) + low;
  }
};

inline constexpr NuRandField kLastNameField = {255, 0, 999};
inline constexpr NuRandField kCustomerField = {1023, 1, 3000};
inline constexpr NuRandField kItemField = {8191, 1, 100'000};

// Clause 2.1.6.1: the last names that a run asks for most often must be neither
// those that the loader drew most often nor too far from them.
inline bool IsLegalLastNameC(uint32_t load, uint32_t run) {
  const uint32_t delta = load > run ? load - run : run - load;
  return delta >= 65 && delta <= 119 && delta != 96 && delta != 112;
}

// The C of each field, one for all terminals and for the whole run.
struct NuRandConstants {
  uint32_t last_name = 0;  // "C-Run"
  uint32_t customer = 0;
  uint32_t item = 0;
};

// Draws the constants of a run on data that was loaded with `last_name_load`
// ("C-Load"). The same seed gives the same constants.
inline NuRandConstants DrawNuRandConstants(uint64_t seed,
                                           uint32_t last_name_load) {
  constexpr uint64_t kStream = 0x4E55'5261'6E64;  // apart from any terminal's
  Random random(seed, kStream);
  std::vector<uint32_t> legal;
  for (uint32_t c = 0; c <= kLastNameField.a; ++c) {
    if (IsLegalLastNameC(last_name_load, c)) legal.push_back(c);
  }
  NuRandConstants constants;
  constants.last_name = legal[random.NextInt(legal.size())];
  constants.customer = Uniform(random, 0, kCustomerField.a);
  constants.item = Uniform(random, 0, kItemField.a);
  return constants;
}

}  // namespace waltax::tpcc
