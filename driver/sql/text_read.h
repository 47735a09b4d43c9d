// A SELECT that is sent as text each time it is executed.
//
// MariaDB executes a prepared SELECT again without its covering index once an
// UPDATE has used the table, and the same statement as text with it (`make
// bench-plans` shows both). So this is for reads out of an index alone. A
// Statement is cheaper for all others.
#pragma once

#include <mysql.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/sql/connection.h"

namespace waltax::mariadb {

// Used by one thread at a time, and ended before its connection. Takes turns
// with other statements of the connection, as a Statement does.
class TextRead {
 public:
  // `sql` has a `?` for each value, and none in a literal of its own.
  TextRead(Connection* connection, std::string_view sql);
  ~TextRead();
  TextRead(const TextRead&) = delete;
  TextRead& operator=(const TextRead&) = delete;

  // Executes it with these values, one for each `?`: numbers that are not
  // negative, as digits, or texts, as hexadecimal literals of latin1. No value
  // can end its literal.
  template <typename... Values>
  SqlStatus Run(const Values&... values) {
    Begin();
    (Put(values), ...);
    return Execute();
  }

  // Reads the next row. False after the last one, or when `status` is not ok.
  bool Next(SqlStatus* status);
  // Columns of that row, by position. A NULL is 0 or "".
  [[nodiscard]] uint64_t Unsigned(size_t column) const;
  [[nodiscard]] std::string_view Text(size_t column) const {  // until Next()
    return {row_[column] == nullptr ? "" : row_[column], lengths_[column]};
  }

 private:
  void Begin() {
    sql_ = parts_.front();
    put_ = 0;
  }
  void Put(std::unsigned_integral auto value) { PutNumber(value); }
  void Put(std::string_view value) { PutText(value); }
  void PutNumber(uint64_t value);
  void PutText(std::string_view value);
  // Ends a value with what stands behind its place.
  void EndPut() {
    if (++put_ < parts_.size()) sql_ += parts_[put_];
  }
  SqlStatus Execute();

  Connection* connection_;
  std::vector<std::string> parts_;  // of the statement, between the `?`
  std::string sql_;
  size_t put_ = 0;
  MYSQL_ROW row_ = nullptr;
  const unsigned long* lengths_ = nullptr;
};

}  // namespace waltax::mariadb
