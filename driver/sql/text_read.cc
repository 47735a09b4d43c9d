#include "driver/sql/text_read.h"

#include <errmsg.h>
#include <fmt/format.h>

#include <charconv>

namespace waltax::mariadb {

TextRead::TextRead(Connection* connection, std::string_view sql)
    : connection_(connection) {
  for (size_t place = sql.find('?'); place != sql.npos; place = sql.find('?')) {
    parts_.emplace_back(sql.substr(0, place));
    sql.remove_prefix(place + 1);
  }
  parts_.emplace_back(sql);
}

TextRead::~TextRead() { connection_->DropUnread(); }

void TextRead::PutNumber(uint64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value);
  sql_.append(digits, static_cast<size_t>(end.ptr - digits));
  EndPut();
}

void TextRead::PutText(std::string_view value) {
  constexpr char kDigits[] = "0123456789abcdef";
  sql_ += "_latin1 x'";
  for (const char byte : value) {
    const auto bits = static_cast<unsigned char>(byte);
    sql_ += kDigits[bits >> 4];
    sql_ += kDigits[bits & 15];
  }
  sql_ += '\'';
  EndPut();
}

SqlStatus TextRead::Execute() {
  if (put_ + 1 != parts_.size()) {
    return {CR_PARAMS_NOT_BOUND,
            fmt::format("the statement has {} places and {} values",
                        parts_.size() - 1, put_)};
  }
  connection_->DropUnread();
  MYSQL* mysql = connection_->handle();
  if (mysql_real_query(mysql, sql_.data(), sql_.size()) != 0) {
    return connection_->LastError();
  }
  connection_->unread_text_ = mysql_use_result(mysql);
  connection_->reader_ = this;
  return connection_->unread_text_ == nullptr ? connection_->LastError()
                                              : SqlStatus();
}

bool TextRead::Next(SqlStatus* status) {
  MYSQL_RES* rows = connection_->unread_text_;
  if (!status->ok() || rows == nullptr || connection_->reader_ != this) {
    return false;
  }
  row_ = mysql_fetch_row(rows);
  if (row_ != nullptr) {
    lengths_ = mysql_fetch_lengths(rows);
    return true;
  }
  *status = connection_->LastError();
  connection_->DropUnread();
  return false;
}

uint64_t TextRead::Unsigned(size_t column) const {
  const std::string_view text = Text(column);
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace waltax::mariadb
