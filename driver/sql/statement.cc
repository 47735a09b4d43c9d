#include "driver/sql/statement.h"

#include <errmsg.h>
#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace waltax::mariadb {
namespace {

template <typename SignedNumber>
int64_t Whole(const unsigned char* bytes, bool is_unsigned) {
  SignedNumber number;
  std::memcpy(&number, bytes, sizeof number);
  return is_unsigned
             ? static_cast<int64_t>(
                   static_cast<std::make_unsigned_t<SignedNumber>>(number))
             : number;
}

// Bytes of a value in the binary protocol; 0 when its length stands before it.
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

Statement::Statement(Connection* connection, MYSQL_STMT* stmt)
    : connection_(connection),
      stmt_(stmt),
      parameters_(mysql_stmt_param_count(stmt)),
      binds_(parameters_.size()),
      row_(mysql_stmt_field_count(stmt)) {
  // The library hands out each value where it lies in its buffer, instead of
  // converting it into one of ours.
  mysql_stmt_attr_set(stmt_, STMT_ATTR_CB_USER_DATA, this);
  mysql_stmt_attr_set(stmt_, STMT_ATTR_CB_RESULT,
                      reinterpret_cast<const void*>(&OnColumn));
}

Statement::~Statement() {
  connection_->DropUnread();
  mysql_stmt_close(stmt_);
}

SqlStatus Statement::TryPrepare(Connection* connection, std::string_view sql,
                                std::unique_ptr<Statement>* statement) {
  connection->DropUnread();
  MYSQL_STMT* stmt = mysql_stmt_init(connection->handle());
  if (stmt == nullptr) return {CR_OUT_OF_MEMORY, "no memory for a statement"};
  if (mysql_stmt_prepare(stmt, sql.data(), sql.size()) != 0) {
    SqlStatus status = {mysql_stmt_errno(stmt), mysql_stmt_error(stmt)};
    mysql_stmt_close(stmt);
    return status;
  }
  statement->reset(new Statement(connection, stmt));
  return {};
}

Status Statement::Prepare(Connection* connection, std::string_view sql,
                          std::unique_ptr<Statement>* statement) {
  const SqlStatus status = TryPrepare(connection, sql, statement);
  return status.ok() ? Status::Ok()
                     : Explained(status, fmt::format("prepare \"{}\"", sql));
}

SqlStatus Statement::LastError() {
  return {mysql_stmt_errno(stmt_), mysql_stmt_error(stmt_)};
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
    connection_->unread_ = stmt_;
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

SqlStatus Statement::Execute() {
  if (bound_ != parameters_.size()) [[unlikely]] {
    return {CR_PARAMS_NOT_BOUND,
            fmt::format("the statement has {} parameters and {} values",
                        parameters_.size(), bound_)};
  }
  if (!told_ && !parameters_.empty()) [[unlikely]] {
    const SqlStatus status = Tell(0);
    if (!status.ok()) return status;
  }
  return Send();
}

SqlStatus Statement::ExecuteBatch() {
  if (sets_ == 0) return {};
  const SqlStatus status = Tell(std::exchange(sets_, 0));
  return status.ok() ? Send() : status;
}

bool Statement::Next(SqlStatus* status) {
  if (!status->ok() || connection_->unread_ != stmt_) return false;
  const int fetched = mysql_stmt_fetch(stmt_);
  if (fetched == 0) return true;
  connection_->unread_ = nullptr;
  if (fetched != MYSQL_NO_DATA) *status = FetchError();
  return false;
}

// The library leaves what went wrong between two rows with the connection only.
SqlStatus Statement::FetchError() {
  SqlStatus status = LastError();
  if (status.ok()) status = connection_->LastError();
  if (!status.ok()) return status;
  return {CR_UNKNOWN_ERROR, "a row could not be read"};
}

void Statement::OnColumn(void* statement, unsigned column,
                         unsigned char** row) {
  auto* self = static_cast<Statement*>(statement);
  Cell& cell = self->row_[column];
  if (row == nullptr) {
    cell = Cell();
    return;
  }
  const MYSQL_FIELD& field = self->stmt_->fields[column];
  cell.type = field.type;
  cell.is_unsigned = (field.flags & UNSIGNED_FLAG) != 0;
  cell.size = FixedSize(field.type);
  if (cell.size == 0) cell.size = TakeLength(row);
  cell.bytes = *row;
  *row += cell.size;
}

int64_t Statement::Signed(size_t column) const {
  const Cell& cell = row_[column];
  if (cell.bytes == nullptr) return 0;
  switch (cell.type) {
    case MYSQL_TYPE_TINY:
      return Whole<int8_t>(cell.bytes, cell.is_unsigned);
    case MYSQL_TYPE_SHORT:
      return Whole<int16_t>(cell.bytes, cell.is_unsigned);
    case MYSQL_TYPE_LONG:
      return Whole<int32_t>(cell.bytes, cell.is_unsigned);
    case MYSQL_TYPE_LONGLONG:
      return Whole<int64_t>(cell.bytes, cell.is_unsigned);
    default: {
      const std::string_view text = Text(column);
      int64_t number = 0;
      std::from_chars(text.data(), text.data() + text.size(), number);
      return number;
    }
  }
}

Status PrepareAll(Connection& connection,
                  std::initializer_list<ToPrepare> statements) {
  for (const ToPrepare& each : statements) {
    Status status = Statement::Prepare(&connection, each.sql, each.statement);
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

}  // namespace waltax::mariadb
