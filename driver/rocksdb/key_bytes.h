// Keys of fixed length whose numbers are big-endian, so that they sort.
#pragma once

#include <rocksdb/slice.h>

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace waltax {

static_assert(std::endian::native == std::endian::little);

template <size_t kBytes>
struct Key {
  std::array<char, kBytes> bytes;
  [[nodiscard]] rocksdb::Slice slice() const {
    return {bytes.data(), bytes.size()};
  }
  operator rocksdb::Slice() const {  // NOLINT(google-explicit-constructor)
    return slice();
  }
  [[nodiscard]] std::string_view view() const {
    return {bytes.data(), bytes.size()};
  }
};

// Writes 1, 4 or 8 bytes, as the number has; returns the place behind them.
template <typename Number>
char* PutBigEndian(char* out, Number number) {
  static_assert(sizeof(Number) == 1 || sizeof(Number) == 4 ||
                sizeof(Number) == 8);
  if constexpr (sizeof(Number) == 4) number = __builtin_bswap32(number);
  if constexpr (sizeof(Number) == 8) number = __builtin_bswap64(number);
  std::memcpy(out, &number, sizeof(number));
  return out + sizeof(number);
}

// The numbers one after the other, each in its own width.
template <typename... Numbers>
Key<(sizeof(Numbers) + ...)> MakeKey(Numbers... numbers) {
  Key<(sizeof(Numbers) + ...)> key;
  char* at = key.bytes.data();
  ((at = PutBigEndian(at, numbers)), ...);
  return key;
}

// REQUIRES: `in` has as many bytes as the number.
template <typename Number>
Number GetBigEndian(const char* in) {
  Number number{};
  std::memcpy(&number, in, sizeof(number));
  if constexpr (sizeof(Number) == 4) number = __builtin_bswap32(number);
  if constexpr (sizeof(Number) == 8) number = __builtin_bswap64(number);
  return number;
}

}  // namespace waltax
