// Keys as the study makes them: 64 bits of which the first three say the
// machine, the next two the thread, and the rest is random.
#pragma once

#include <cstdint>
#include <optional>

namespace waltax::shop {

enum class Table : uint8_t { kCustomers, kProducts, kOrders };

// Who made a key. Both are below 4, so that a signed BIGINT is never negative.
inline constexpr uint64_t kLoadMachine = 0;
inline constexpr uint64_t kRunMachine = 1;

// A key and its row's number follow from each other, so that nobody keeps a
// list of keys: the random bits are the number, scattered by a bijection of 59
// bits (steps of a multiplication and a shift, as SplitMix has them). The
// thread is number mod 4, as if four threads had made rows in turn.
namespace uid {

inline constexpr int kRandomBits = 59;
inline constexpr uint64_t kRandom = (uint64_t{1} << kRandomBits) - 1;
inline constexpr uint64_t kThreads = 4;
inline constexpr uint64_t kFirst = 0xBF58476D1CE4E5B9;
inline constexpr uint64_t kSecond = 0x94D049BB133111EB;

// So that equal numbers of two tables have keys far apart.
constexpr uint64_t Salt(Table table) {
  return (static_cast<uint64_t>(table) + 1) * 0x9E3779B97F4A7C15;
}

// Its own inverse below 2^59, as twice the shift reaches past all bits.
constexpr uint64_t Fold(uint64_t bits) { return bits ^ (bits >> 30); }

// Of an odd factor modulo 2^64, by Newton's steps, each of which doubles the
// bits that are right.
constexpr uint64_t Inverse(uint64_t factor) {
  uint64_t inverse = factor;
  for (int i = 0; i < 5; ++i) inverse *= 2 - factor * inverse;
  return inverse;
}

constexpr uint64_t Scattered(Table table, uint64_t number) {
  uint64_t bits = Fold((number + Salt(table)) & kRandom);
  bits = Fold((bits * kFirst) & kRandom);
  return Fold((bits * kSecond) & kRandom);
}

constexpr uint64_t Gathered(Table table, uint64_t random) {
  uint64_t bits = Fold(random);
  bits = Fold((bits * Inverse(kSecond)) & kRandom);
  bits = Fold((bits * Inverse(kFirst)) & kRandom);
  return (bits - Salt(table)) & kRandom;
}

}  // namespace uid

// REQUIRES: machine < 8, number < 2^59.
constexpr uint64_t UidOf(Table table, uint64_t machine, uint64_t number) {
  return machine << 61 | (number % uid::kThreads) << uid::kRandomBits |
         uid::Scattered(table, number);
}

// The number of a key that this machine made; empty: it made no such key.
constexpr std::optional<uint64_t> NumberOf(Table table, uint64_t machine,
                                           uint64_t key) {
  const uint64_t number = uid::Gathered(table, key & uid::kRandom);
  if (UidOf(table, machine, number) != key) return std::nullopt;
  return number;
}

// Where the keys of a machine begin; those of the one before end there.
constexpr uint64_t FirstUid(uint64_t machine) { return machine << 61; }

}  // namespace waltax::shop
