#include "ycsb/sql/statements.h"

#include <fmt/format.h>

namespace waltax::ycsb::sql {

std::string Quoted(const std::string& name) {
  std::string quoted = "`";
  for (const char letter : name) quoted.append(letter == '`' ? 2 : 1, letter);
  return quoted + "`";
}

std::string Statements::Columns(std::optional<uint32_t> field) const {
  if (field) return Quoted(names_[*field]);
  std::string columns;
  for (const std::string& name : names_) {
    columns += (columns.empty() ? "" : ", ") + Quoted(name);
  }
  return columns;
}

std::string Statements::Assignments(std::optional<uint32_t> field) const {
  if (field) return Quoted(names_[*field]) + " = ?";
  std::string assignments;
  for (const std::string& name : names_) {
    assignments += (assignments.empty() ? "" : ", ") + Quoted(name) + " = ?";
  }
  return assignments;
}

std::string Statements::Row(const char* verb) const {
  std::string values = "?";
  for (size_t i = 0; i < names_.size(); ++i) values += ", ?";
  return fmt::format("{} INTO {} (ycsb_key, {}) VALUES ({})", verb, table_,
                     Columns(std::nullopt), values);
}

std::string Statements::Read(std::optional<uint32_t> field) const {
  return fmt::format("SELECT ycsb_counter, {} FROM {} WHERE ycsb_key = ?",
                     Columns(field), table_);
}

std::string Statements::Lock(std::optional<uint32_t> field) const {
  return Read(field) + " FOR UPDATE";
}

std::string Statements::Update(std::optional<uint32_t> field) const {
  return fmt::format("UPDATE {} SET {} WHERE ycsb_key = ?", table_,
                     Assignments(field));
}

std::string Statements::Modify(std::optional<uint32_t> field) const {
  return fmt::format(
      "UPDATE {} SET {}, ycsb_counter = ycsb_counter + 1 WHERE ycsb_key = ?",
      table_, Assignments(field));
}

std::string Statements::Insert() const { return Row("INSERT"); }

std::string Statements::Replace() const { return Row("REPLACE"); }

std::string Statements::Scan(std::optional<uint32_t> field) const {
  return fmt::format(
      "SELECT ycsb_key, {} FROM {} WHERE ycsb_key >= ? "
      "ORDER BY ycsb_key LIMIT ?",
      Columns(field), table_);
}

std::string Statements::All(bool ends) const {
  return fmt::format(
      "SELECT ycsb_key, ycsb_counter, {} FROM {} FORCE INDEX (PRIMARY) "
      "WHERE ycsb_key >= ?{} ORDER BY ycsb_key",
      Columns(std::nullopt), table_, ends ? " AND ycsb_key < ?" : "");
}

}  // namespace waltax::ycsb::sql
