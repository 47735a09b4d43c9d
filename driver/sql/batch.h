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

// A value as one of the types that the binary protocol is used with here.
template <typename Value>
auto AsValue(const Value& value) {
  if constexpr (std::convertible_to<const Value&, std::string_view>) {
    return std::string_view(value);
  } else {
    static_assert(std::integral<Value>, "whole numbers or texts");
    if constexpr (std::is_unsigned_v<Value>) {
      return static_cast<uint64_t>(value);
    } else {
      return static_cast<int64_t>(value);
    }
  }
}

// Not thread-safe. Keeps its memory when it is cleared. REQUIRES: each set has
// a value for each column, of the type that the first set has there.
class Batch {
 public:
  explicit Batch(size_t columns) : columns_(columns), binds_(columns) {}

  void BeginSet() {
    ++sets_;
    next_ = 0;
  }
  void Add(int64_t value) { AddNumber(value, false); }
  void Add(uint64_t value) { AddNumber(static_cast<int64_t>(value), true); }
  void Add(std::string_view value);  // copied
  void Clear();

  [[nodiscard]] size_t sets() const { return sets_; }
  // What the library is told; valid until the batch changes.
  std::vector<MYSQL_BIND>* Binds();

 private:
  struct Column {
    bool is_unsigned = false;
    std::vector<int64_t> numbers;
    std::string text;  // of all sets, one behind the other
    std::vector<unsigned long> sizes;
    std::vector<char*> starts;  // into `text`, for Binds()
  };

  void AddNumber(int64_t value, bool is_unsigned) {
    Column& column = columns_[next_++];
    column.is_unsigned = is_unsigned;
    column.numbers.push_back(value);
  }

  std::vector<Column> columns_;
  size_t sets_ = 0;
  size_t next_ = 0;
  std::vector<MYSQL_BIND> binds_;
};

}  // namespace waltax::mariadb
