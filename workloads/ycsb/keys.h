// How records are named: "user" and a number, which is the record's own or,
// by default, a hash of it, so that neighbours in time are none in the table.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <tuple>

namespace waltax::ycsb {

inline constexpr char kKeyPrefix[] = "user";

// FNV-1a of the eight bytes of `number`, lowest first, as in Java: the
// absolute value of a signed result.
constexpr uint64_t Fnv64(uint64_t number) {
  uint64_t hash = 0xCBF29CE484222325ULL;
  for (int i = 0; i < 8; ++i) {
    hash ^= number & 0xFF;
    hash *= 1'099'511'628'211ULL;
    number >>= 8;
  }
  return hash >> 63 != 0 ? 0 - hash : hash;
}

struct KeyFormat {
  bool ordered = false;
  int zeropadding = 1;  // digits at least

  // What stands behind the prefix of record `number`.
  [[nodiscard]] uint64_t Shown(uint64_t number) const {
    return ordered ? number : Fnv64(number);
  }
  void Write(uint64_t number, std::string* key) const {
    WriteShown(Shown(number), key);
  }
  void WriteShown(uint64_t shown, std::string* key) const {
    key->assign(kKeyPrefix);
    fmt::format_to(std::back_inserter(*key), "{:0{}}", shown, zeropadding);
  }
  // Sorts as the keys do, byte by byte. REQUIRES: shown < 10^19.
  [[nodiscard]] std::tuple<uint64_t, int> Order(uint64_t shown) const {
    int digits = 1;
    for (uint64_t rest = shown / 10; rest > 0; rest /= 10) ++digits;
    if (digits < zeropadding) digits = zeropadding;
    uint64_t aligned = shown;
    for (int i = digits; i < kMostDigits; ++i) aligned *= 10;
    return {aligned, digits};
  }
  // What Order() was made of.
  static uint64_t ShownOf(const std::tuple<uint64_t, int>& order) {
    auto [shown, digits] = order;
    for (int i = digits; i < kMostDigits; ++i) shown /= 10;
    return shown;
  }

 private:
  static constexpr int kMostDigits = 19;  // of a hash
};

}  // namespace waltax::ycsb
