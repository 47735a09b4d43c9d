// What stands for a `?` of a statement.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace waltax::mariadb {

// A parameter that is NULL.
struct Null {};

// A value as one of the types that the binary protocol is used with here.
template <typename Value>
auto AsValue(const Value& value) {
  if constexpr (std::same_as<Value, Null>) {
    return value;
  } else if constexpr (std::convertible_to<const Value&, std::string_view>) {
    return std::string_view(value);
  } else {
    static_assert(std::integral<Value>, "whole numbers, texts or Null");
    if constexpr (std::is_unsigned_v<Value>) {
      return static_cast<uint64_t>(value);
    } else {
      return static_cast<int64_t>(value);
    }
  }
}

}  // namespace waltax::mariadb
