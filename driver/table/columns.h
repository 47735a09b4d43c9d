// The columns of a row, said once: the struct of a row has a static Columns(),
// a tuple of Column, and from that follow its bytes in RocksDB, and by
// driver/table/table.h all that a server's table is.
//
//   row    : column...        in the order of Columns()
//   column : number           its bytes as the processor has them
//          | length text      length in 2 bytes
//          | text             one without a length, which is the last column
//          | column...        of a struct that has Columns() itself
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace waltax::table {

// What a number or a text is in SQL.
enum class As : uint8_t {
  kPlain,
  kDecimal,     // a whole number of the smallest unit here, a DECIMAL there
  kTime,        // milliseconds since the epoch; 0 is NULL
  kNullIfZero,  // 0 is NULL
  kRest,        // a text that is as long as the rest of the row
};

struct Type {
  std::string_view sql;  // "DECIMAL(12,2) NOT NULL"
  As as = As::kPlain;
  int decimals = 0;  // of a decimal
  // A text that a server has in so many columns, each of an equal share of its
  // bytes, whose names end with 01, 02, ...
  int parts = 1;
};

template <typename Row, typename Value>
struct Column {
  std::string_view name;  // without what all columns of the table begin with
  Type type;
  Value Row::* at;
};
template <typename Row, typename Value>
Column(const char*, Type, Value Row::*) -> Column<Row, Value>;

template <typename Row>
concept HasColumns = requires { Row::Columns(); };

template <typename Number>
void Append(Number number, std::string* out) {
  out->append(reinterpret_cast<const char*>(&number), sizeof(number));
}

inline void Append(std::string_view text, std::string* out) {
  Append(static_cast<uint16_t>(text.size()), out);
  out->append(text);
}

// Appends the bytes of `row`, which must not point into `out`.
template <HasColumns Row>
void AppendRow(const Row& row, std::string* out) {
  const auto append = [&](const auto& column) {
    const auto& value = row.*column.at;
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (HasColumns<Value>) {
      AppendRow(value, out);
    } else if constexpr (std::is_same_v<Value, std::string_view>) {
      column.type.as == As::kRest ? (void)out->append(value)
                                  : Append(value, out);
    } else {
      Append(value, out);
    }
  };
  std::apply([&](const auto&... column) { (append(column), ...); },
             Row::Columns());
}

// Replaces what `out` held.
template <HasColumns Row>
void EncodeRow(const Row& row, std::string* out) {
  out->clear();
  AppendRow(row, out);
}

// Each takes a value off the front of `in`. False when there is none.
template <typename Number>
bool Take(std::string_view* in, Number* number) {
  if (in->size() < sizeof(*number)) return false;
  if constexpr (std::is_same_v<Number, bool>) {
    *number = in->front() != 0;
  } else {
    in->copy(reinterpret_cast<char*>(number), sizeof(*number));
  }
  in->remove_prefix(sizeof(*number));
  return true;
}

inline bool Take(std::string_view* in, std::string_view* text) {
  uint16_t length = 0;
  if (!Take(in, &length) || in->size() < length) return false;
  *text = in->substr(0, length);
  in->remove_prefix(length);
  return true;
}

template <HasColumns Row>
bool TakeRow(std::string_view* in, Row* row) {
  const auto take = [&](const auto& column) {
    auto& value = row->*column.at;
    using Value = std::remove_cvref_t<decltype(value)>;
    if constexpr (HasColumns<Value>) {
      return TakeRow(in, &value);
    } else {
      if constexpr (std::is_same_v<Value, std::string_view>) {
        if (column.type.as == As::kRest) {
          value = std::exchange(*in, {});
          return true;
        }
      }
      return Take(in, &value);
    }
  };
  return std::apply(
      [&](const auto&... column) { return (take(column) && ...); },
      Row::Columns());
}

// False when `in` is not exactly such a row. Its text points into `in`.
template <HasColumns Row>
bool DecodeRow(std::string_view in, Row* row) {
  return TakeRow(&in, row) && in.empty();
}

}  // namespace waltax::table
