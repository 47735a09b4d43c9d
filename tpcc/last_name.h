// The last names of customers (clause 4.3.2.3): a number from 0 to 999, spelt
// with one syllable for each of its three digits.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace waltax::tpcc {

inline constexpr uint32_t kLastNames = 1000;

namespace last_name {

inline constexpr std::array<std::string_view, 10> kSyllables = {
    "BAR", "OUGHT", "ABLE",  "PRI",   "PRES",
    "ESE", "ANTI",  "CALLY", "ATION", "EING"};

struct Name {
  std::array<char, 15> letters{};
  uint8_t length = 0;
};

constexpr std::array<Name, kLastNames> Spell() {
  std::array<Name, kLastNames> names{};
  for (uint32_t number = 0; number < kLastNames; ++number) {
    Name& name = names[number];
    for (const uint32_t digit : {number / 100, number / 10 % 10, number % 10}) {
      for (const char letter : kSyllables[digit]) {
        name.letters[name.length++] = letter;
      }
    }
  }
  return names;
}

inline constexpr std::array<Name, kLastNames> kNames = Spell();

}  // namespace last_name

// Points into a static table. REQUIRES: number < kLastNames.
inline std::string_view LastName(uint32_t number) {
  const last_name::Name& name = last_name::kNames[number];
  return {name.letters.data(), name.length};
}

}  // namespace waltax::tpcc
