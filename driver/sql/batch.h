// Sets of values for one execution in MariaDB's bulk protocol, by column, and
// what stands for a `?` of a statement.
#pragma once

#include <mysql.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

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

// Not thread-safe. Keeps its memory when it is cleared.
class Batch {
 public:
  explicit Batch(size_t columns) : columns_(columns) {}

  void BeginSet() {
    ++sets_;
    next_ = 0;
  }
  void Add(int64_t value) { AddNumber(value, false); }
  void Add(uint64_t value) { AddNumber(static_cast<int64_t>(value), true); }
  void Add(std::string_view value);  // copied
  void Add(Null value);
  void Clear();

  [[nodiscard]] size_t sets() const { return sets_; }
  // Whether each set so far has a value for each column, and each column one
  // type.
  [[nodiscard]] bool IsWhole() const;
  // What the library is told; valid until the batch changes.
  std::vector<MYSQL_BIND>* Binds();

 private:
  // What a column holds, once a set said so.
  enum class Kind : uint8_t { kUnknown, kSigned, kUnsigned, kText };
  struct Column {
    Kind kind = Kind::kUnknown;
    bool mixed = false;
    std::vector<int64_t> numbers;
    std::string text;  // of all sets, one behind the other
    std::vector<unsigned long> sizes;
    std::vector<char*> starts;     // into `text`, for Binds()
    std::vector<char> indicators;  // which of them are NULL
  };

  // The column of the next value, which is of that kind; null when there are
  // too many.
  Column* Next(Kind kind);
  void AddNumber(int64_t value, bool is_unsigned);
  MYSQL_BIND BindOf(Column* column) const;

  std::vector<Column> columns_;
  size_t sets_ = 0;
  size_t next_ = 0;
  bool overfull_ = false;
  std::vector<MYSQL_BIND> binds_;
};

}  // namespace waltax::mariadb
