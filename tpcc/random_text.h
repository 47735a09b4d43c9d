// The random strings of clause 4.3.2.2.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "driver/random.h"
#include "tpcc/nurand.h"

namespace waltax::tpcc {

// Writes a row's strings one behind the other into one buffer. Not
// thread-safe.
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

}  // namespace waltax::tpcc
