#include "driver/sql/statement.h"

#include <errmsg.h>
#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <new>
#include <utility>

namespace waltax::mariadb {
namespace {

// Bytes of a number in the binary protocol; 0 of a text, whose length stands
// before it.
uint32_t FixedSize(enum_field_types type) {
  switch (type) {
    case MYSQL_TYPE_TINY:
      return 1;
    case MYSQL_TYPE_SHORT:
      return 2;
    case MYSQL_TYPE_LONG:
      return 4;
    case MYSQL_TYPE_LONGLONG:
      return 8;
    default:
      return 0;
  }
}

// A length as the protocol writes it; moves `at` behind it.
uint32_t TakeLength(unsigned char** at) {
  const unsigned char first = **at;
  const size_t more = first < 251 ? 0 : first == 252 ? 2 : first == 253 ? 3 : 8;
  if (more == 0) {
    ++*at;
    return first;
  }
  uint64_t length = 0;
  std::memcpy(&length, *at + 1, more);
  *at += 1 + more;
  return static_cast<uint32_t>(length);
}

}  // namespace

Statement::Statement(Connection* connection, std::string_view sql, Sent sent)
    : connection_(connection), sql_(sql) {
  if (sent == Sent::kPrepared) {
    stmt_ = mysql_stmt_init(connection->handle());
    if (stmt_ == nullptr) throw std::bad_alloc();
    return;
  }
  for (size_t place = sql.find('?'); place != sql.npos; place = sql.find('?')) {
    parts_.emplace_back(sql.substr(0, place));
    sql.remove_prefix(place + 1);
  }
  parts_.emplace_back(sql);
}

Statement::~Statement() {
  connection_->DropUnread();
  if (stmt_ != nullptr) mysql_stmt_close(stmt_);
}

SqlStatus Statement::Prepare() {
  connection_->DropUnread();
  if (mysql_stmt_prepare(stmt_, sql_.data(), sql_.size()) != 0) {
    SqlStatus status = LastError();
    status.message += fmt::format(", in \"{}\"", sql_);
    return status;
  }
  prepared_ = true;
  parameters_.resize(mysql_stmt_param_count(stmt_));
  binds_.resize(parameters_.size());
  row_.resize(mysql_stmt_field_count(stmt_));
  // The library hands out each value where it lies in its buffer, instead of
  // converting it into one of ours.
  mysql_stmt_attr_set(stmt_, STMT_ATTR_CB_USER_DATA, this);
  mysql_stmt_attr_set(stmt_, STMT_ATTR_CB_RESULT,
                      reinterpret_cast<const void*>(&OnColumn));
  return {};
}

// The library leaves what went wrong between two rows with the connection
// alone.
SqlStatus Statement::LastError() {
  if (stmt_ != nullptr && mysql_stmt_errno(stmt_) != 0) {
    return {mysql_stmt_errno(stmt_), mysql_stmt_error(stmt_)};
  }
  return connection_->LastError();
}

void Statement::PutText(std::string_view value) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string literal = "_latin1 x'";
  for (const char byte : value) {
    const auto bits = static_cast<unsigned char>(byte);
    literal += kDigits[bits >> 4];
    literal += kDigits[bits & 15];
  }
  Put(literal += '\'');
}

SqlStatus Statement::Tell(unsigned sets) {
  mysql_stmt_attr_set(stmt_, STMT_ATTR_ARRAY_SIZE, &sets);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& parameter = parameters_[i];
    MYSQL_BIND& bind = binds_[i] = {};
    bind.buffer_type = parameter.type;
    bind.is_unsigned = parameter.is_unsigned ? 1 : 0;
    bind.buffer = parameter.numbers.data();
    if (parameter.type == MYSQL_TYPE_LONGLONG) continue;
    bind.length = parameter.sizes.data();
    bind.buffer = parameter.text.data();
    if (sets == 0) continue;
    parameter.starts.clear();
    char* start = parameter.text.data();
    for (const unsigned long size : parameter.sizes) {
      parameter.starts.push_back(start);
      start += size;
    }
    bind.buffer = static_cast<void*>(parameter.starts.data());
  }
  if (mysql_stmt_bind_param(stmt_, binds_.data()) != 0) return LastError();
  told_ = sets == 0;
  return {};
}

SqlStatus Statement::Send() {
  connection_->DropUnread();
  matched_rows_ = 0;
  if (mysql_stmt_execute(stmt_) != 0) return LastError();
  if (!row_.empty()) {
    connection_->unread_ = this;
    return {};
  }
  const char* info = mysql_info(connection_->handle());
  constexpr std::string_view kMatched = "Rows matched: ";
  if (info != nullptr && std::string_view(info).starts_with(kMatched)) {
    std::from_chars(info + kMatched.size(), info + std::strlen(info),
                    matched_rows_);
  }
  return {};
}

SqlStatus Statement::SendText() {
  connection_->DropUnread();
  MYSQL* mysql = connection_->handle();
  if (mysql_real_query(mysql, sql_.data(), sql_.size()) != 0) {
    return LastError();
  }
  result_ = mysql_use_result(mysql);
  if (result_ == nullptr) return LastError();
  row_.resize(mysql_num_fields(result_));
  connection_->unread_ = this;
  return {};
}

SqlStatus Statement::Execute() {
  if (stmt_ != nullptr && !prepared_) [[unlikely]]
    TRY(Prepare());
  const size_t wanted =
      stmt_ == nullptr ? parts_.size() - 1 : parameters_.size();
  if (bound_ != wanted) [[unlikely]] {
    return {CR_PARAMS_NOT_BOUND,
            fmt::format("the statement has {} parameters and {} values", wanted,
                        bound_)};
  }
  if (stmt_ == nullptr) return SendText();
  if (!told_ && !parameters_.empty()) [[unlikely]]
    TRY(Tell(0));
  return Send();
}

SqlStatus Statement::ExecuteBatch() {
  const unsigned sets = std::exchange(sets_, 0);
  if (sets == 0) return {};
  if (!prepared_) [[unlikely]]
    TRY(Prepare());
  TRY(Tell(sets));
  return Send();
}

bool Statement::Next(SqlStatus* status) {
  if (!status->ok() || connection_->unread_ != this) return false;
  const int fetched = stmt_ == nullptr ? FetchText() : mysql_stmt_fetch(stmt_);
  if (fetched == 0) return true;
  if (fetched != MYSQL_NO_DATA) {
    *status = LastError();
    if (status->ok()) *status = {CR_UNKNOWN_ERROR, "a row could not be read"};
  }
  if (stmt_ != nullptr) {
    connection_->unread_ = nullptr;
  } else {
    connection_->DropUnread();
  }
  return false;
}

int Statement::FetchText() {
  const MYSQL_ROW row = mysql_fetch_row(result_);
  if (row == nullptr) {
    return mysql_errno(connection_->handle()) == 0 ? MYSQL_NO_DATA : 1;
  }
  const unsigned long* sizes = mysql_fetch_lengths(result_);
  for (size_t i = 0; i < row_.size(); ++i) {
    row_[i].bytes = row[i];
    row_[i].size = static_cast<uint32_t>(sizes[i]);
  }
  return 0;
}

void Statement::DropRows() {
  if (stmt_ != nullptr) {
    mysql_stmt_free_result(stmt_);
  } else {
    mysql_free_result(std::exchange(result_, nullptr));
  }
}

void Statement::OnColumn(void* statement, unsigned column,
                         unsigned char** row) {
  auto* self = static_cast<Statement*>(statement);
  Cell& cell = self->row_[column];
  cell = Cell();
  if (row == nullptr) return;
  const MYSQL_FIELD& field = self->stmt_->fields[column];
  cell.is_unsigned = (field.flags & UNSIGNED_FLAG) != 0;
  cell.size = FixedSize(field.type);
  cell.is_text = cell.size == 0;
  if (cell.is_text) cell.size = TakeLength(row);
  cell.bytes = reinterpret_cast<const char*>(*row);
  *row += cell.size;
}

int64_t Statement::Signed(size_t column) const {
  const Cell& cell = row_[column];
  if (cell.bytes == nullptr) return 0;
  if (cell.is_text) {
    uint64_t magnitude = 0;
    const bool negative = Text(column).starts_with('-');
    std::from_chars(cell.bytes + (negative ? 1 : 0), cell.bytes + cell.size,
                    magnitude);
    return static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  }
  int64_t number = 0;
  std::memcpy(&number, cell.bytes, cell.size);
  const uint32_t spare_bits = 64 - 8 * cell.size;
  if (cell.is_unsigned || spare_bits == 0) return number;
  return static_cast<int64_t>(static_cast<uint64_t>(number) << spare_bits) >>
         spare_bits;
}

}  // namespace waltax::mariadb
