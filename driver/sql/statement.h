// A statement that is executed again and again.
#pragma once

#include <mysql.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "driver/sql/connection.h"

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

// Used by one thread at a time, and ended before its connection. Its buffers
// live as long as it does, so that an execution allocates next to nothing.
// Several statements of a connection take turns: rows of one that were not read
// when another begins are dropped.
class Statement {
 public:
  enum class Sent {
    // Parsed once, when it is first executed, and executed in the binary
    // protocol.
    kPrepared,
    // A SELECT that is sent as text each time it is executed, with its texts as
    // hexadecimal literals of latin1, which no value can end. `sql` has a `?`
    // for each value, and none in a literal of its own.
    //
    // MariaDB executes a prepared SELECT again without its covering index once
    // an UPDATE has used the table, and the same statement as text with it
    // (`make bench-plans` shows both). So this is for reads out of an index
    // alone. A prepared one is cheaper for all others.
    kAsText,
  };
  Statement(Connection* connection, std::string_view sql,
            Sent sent = Sent::kPrepared);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Executes with these values, one for each `?`: whole numbers or texts (any
  // bytes). Rows of an earlier execution that were not read are dropped.
  // REQUIRES: no sets were collected (see below).
  template <typename... Values>
  SqlStatus Run(const Values&... values) {
    Begin();
    (Bind(AsValue(values)), ...);
    return Execute();
  }
  // The same for a number of values that is known only now: Begin(), one Bind()
  // for each `?` in their order, Execute().
  void Begin() {
    bound_ = 0;
    if (stmt_ == nullptr) sql_ = parts_.front();
  }
  void Bind(int64_t value) { BindNumber(value, false); }
  void Bind(uint64_t value) { BindNumber(value, true); }
  void Bind(std::string_view value);  // copied
  SqlStatus Execute();

  // Reads the next row. False after the last one, or when `status` is not ok.
  bool Next(SqlStatus* status);
  // Columns of that row, by position. A NULL is 0 or "". Numbers are those of
  // whole-number columns, and of DECIMAL ones (a SUM) without their fraction;
  // texts are those of all columns but whole numbers, and as text of these.
  [[nodiscard]] int64_t Signed(size_t column) const;
  [[nodiscard]] uint64_t Unsigned(size_t column) const {
    return static_cast<uint64_t>(Signed(column));
  }
  [[nodiscard]] std::string_view Text(size_t column) const {  // until Next()
    return {row_[column].bytes, row_[column].size};
  }

  // Collects another set of values; ExecuteBatch() then executes the statement
  // for all of them in one round trip (MariaDB's bulk protocol), and forgets
  // them. Nothing happens without any set. REQUIRES: a prepared INSERT, UPDATE
  // or DELETE; all sets together take less than the server's max_allowed_packet
  // (16 MB); each value has the type that it has in the first set.
  template <typename... Values>
  void AddToBatch(const Values&... values) {
    BeginSet();
    (Bind(AsValue(values)), ...);
  }
  SqlStatus ExecuteBatch();
  // For sets whose number of values is known only now: BeginSet(), then one
  // Bind() for each `?`.
  void BeginSet() {
    if (sets_++ == 0) {
      for (Parameter& parameter : parameters_) parameter.Clear();
    }
    Begin();
  }

  // Of the last execution of a prepared one (all sets of a batch). MyRocks
  // counts as changed also a row that an UPDATE left as it was, unless it read
  // the columns it wrote.
  [[nodiscard]] uint64_t affected_rows() const {  // changed or inserted
    return stmt_->upsert_status.affected_rows;
  }
  [[nodiscard]] uint64_t insert_id() const {
    return stmt_->upsert_status.last_insert_id;
  }
  // Rows that an UPDATE found, whether it changed them or not.
  [[nodiscard]] uint64_t matched_rows() const { return matched_rows_; }

 private:
  friend class Connection;

  // What a `?` gets, in each set. Of one set it stays where it is, so that the
  // library need not be told of it again.
  struct Parameter {
    enum_field_types type = MYSQL_TYPE_LONGLONG;
    bool is_unsigned = false;
    std::vector<uint64_t> numbers;
    std::string text;  // of all sets, one behind the other
    std::vector<unsigned long> sizes;
    std::vector<char*> starts;  // into `text`

    void Clear() {
      numbers.clear();
      text.clear();
      sizes.clear();
    }
  };
  // A value of the row in the library's buffer; no bytes are NULL.
  struct Cell {
    const char* bytes = nullptr;
    uint32_t size = 0;
    bool is_text = true;
    bool is_unsigned = false;
  };

  // Called by the library for each column of a row.
  static void OnColumn(void* statement, unsigned column, unsigned char** row);
  void BindNumber(uint64_t value, bool is_unsigned);
  // The parameter that the next value is for; null when there is none.
  Parameter* Next(enum_field_types type, bool is_unsigned);
  // Puts the next value into the text.
  void Put(std::string_view literal) {
    if (++bound_ < parts_.size()) sql_.append(literal).append(parts_[bound_]);
  }
  void PutText(std::string_view value);
  SqlStatus Prepare();
  // Tells the library where the values are; 0 `sets` are one of Run()'s.
  SqlStatus Tell(unsigned sets);
  SqlStatus Send();
  SqlStatus SendText();
  // 0, or as mysql_stmt_fetch().
  int FetchText();
  void DropRows();
  SqlStatus LastError();

  Connection* connection_;
  std::string sql_;  // of one that is sent as text, with the values so far
  size_t bound_ = 0;
  std::vector<Cell> row_;
  // Of a prepared one.
  MYSQL_STMT* stmt_ = nullptr;
  bool prepared_ = false;  // the server has it; `parameters_` are all
  std::vector<Parameter> parameters_;
  unsigned sets_ = 0;  // of a batch
  bool told_ = false;  // the library knows the parameters as they are
  std::vector<MYSQL_BIND> binds_;
  uint64_t matched_rows_ = 0;
  // Of one that is sent as text.
  std::vector<std::string> parts_;  // between the `?`
  MYSQL_RES* result_ = nullptr;
};

// Statements that differ in how many values they have, each made when it is
// first wanted.
class StatementsByCount {
 public:
  StatementsByCount(Connection* connection,
                    std::function<std::string(size_t count)> sql)
      : connection_(connection), sql_(std::move(sql)) {}
  Statement& operator[](size_t count) {
    const auto made = made_.find(count);
    if (made != made_.end()) return made->second;
    return made_.try_emplace(count, connection_, sql_(count)).first->second;
  }

 private:
  Connection* connection_;
  std::function<std::string(size_t count)> sql_;
  std::map<size_t, Statement> made_;
};

inline Statement::Parameter* Statement::Next(enum_field_types type,
                                             bool is_unsigned) {
  if (bound_++ >= parameters_.size()) [[unlikely]] {
    if (prepared_) return nullptr;  // Execute() says so
    parameters_.emplace_back();
  }
  Parameter& parameter = parameters_[bound_ - 1];
  if (sets_ == 0) parameter.Clear();
  if (parameter.type != type || parameter.is_unsigned != is_unsigned)
      [[unlikely]] {
    parameter.type = type;
    parameter.is_unsigned = is_unsigned;
    told_ = false;
  }
  return &parameter;
}

inline void Statement::BindNumber(uint64_t value, bool is_unsigned) {
  if (stmt_ == nullptr) {
    return Put(is_unsigned ? std::to_string(value)
                           : std::to_string(static_cast<int64_t>(value)));
  }
  Parameter* const parameter = Next(MYSQL_TYPE_LONGLONG, is_unsigned);
  if (parameter != nullptr) parameter->numbers.push_back(value);
}

inline void Statement::Bind(std::string_view value) {
  if (stmt_ == nullptr) return PutText(value);
  Parameter* const parameter = Next(MYSQL_TYPE_STRING, false);
  if (parameter == nullptr) return;
  std::string& text = parameter->text;
  if (text.size() + value.size() > text.capacity()) {
    text.reserve(2 * (text.size() + value.size()));
    told_ = false;
  }
  text += value;
  parameter->sizes.push_back(value.size());
}

}  // namespace waltax::mariadb
