// What TPC-C draws at random: numbers and their constants, choices among rows,
// strings, and last names.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/random.h"

namespace waltax::tpcc {

// Uniform in [low, high] (clause 2.1.5).
inline uint32_t Uniform(Random& random, uint32_t low, uint32_t high) {
  return low + static_cast<uint32_t>(random.NextInt(high - low + 1));
}

// A field that is drawn by NURand(a, low, high) (clause 2.1.6). Its C, a
// constant within [0, a], decides which values are the frequent ones.
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

// The random strings of clause 4.3.2.2. Writes a row's strings one behind the
// other into one buffer. Not thread-safe.
class RandomText {
 public:
  // More than the strings of any row take.
  static constexpr size_t kMostBytes = 1024;

  // Forgets the strings of the row before.
  void Clear() { used_ = 0; }

  // "random a-string [low .. high]": letters of both cases and digits. Valid
  // until Clear(). REQUIRES: all strings since then fit into kMostBytes.
  std::string_view Letters(Random& random, uint32_t low, uint32_t high) {
    return Draw(random, kAlphanumeric, Uniform(random, low, high));
  }
  // "random n-string [length .. length]".
  std::string_view Digits(Random& random, uint32_t length) {
    return Draw(random, kAlphanumeric.substr(0, 10), length);
  }
  // Clause 4.3.2.7: four random digits, and then 11111.
  std::string_view Zip(Random& random) {
    const std::string_view digits = Digits(random, 4);
    constexpr std::string_view kEnd = "11111";
    std::memcpy(bytes_.data() + used_, kEnd.data(), kEnd.size());
    used_ += kEnd.size();
    return {digits.data(), digits.size() + kEnd.size()};
  }
  // Letters that hold "ORIGINAL" at a random place (clause 4.3.3.1).
  std::string_view Original(Random& random, uint32_t low, uint32_t high) {
    constexpr std::string_view kMark = "ORIGINAL";
    char* const begin = bytes_.data() + used_;
    const std::string_view letters = Letters(random, low, high);
    std::memcpy(begin + random.NextInt(letters.size() - kMark.size() + 1),
                kMark.data(), kMark.size());
    return letters;
  }

 private:
  static constexpr std::string_view kAlphanumeric =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  // Ten letters from one draw, taken as a fraction of 1: each multiplication by
  // 62 moves one digit of base 62 before the point. Any ten letters are those
  // of 21 or 22 of the 2^64 draws.
  std::string_view Draw(Random& random, std::string_view alphabet,
                        size_t length) {
    constexpr size_t kLettersPerDraw = 10;
    char* const begin = bytes_.data() + used_;
    for (size_t done = 0; done < length; done += kLettersPerDraw) {
      uint64_t fraction = random.Next();
      const size_t end = std::min(length, done + kLettersPerDraw);
      for (size_t i = done; i < end; ++i) {
        const auto product =
            static_cast<unsigned __int128>(fraction) * alphabet.size();
        begin[i] = alphabet[static_cast<size_t>(product >> 64)];
        fraction = static_cast<uint64_t>(product);
      }
    }
    used_ += length;
    return {begin, length};
  }

  std::array<char, kMostBytes> bytes_;
  size_t used_ = 0;
};

// The last names of customers (clause 4.3.2.3): a number from 0 to 999, spelt
// with one syllable for each of its three digits.

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
