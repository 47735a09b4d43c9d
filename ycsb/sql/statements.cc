#include "ycsb/sql/statements.h"

#include <fmt/format.h>

namespace waltax::ycsb::sql {

namespace {

constexpr uint64_t kMostOfText = 65'535;

std::string Quoted(const std::string& name) {
  std::string quoted = "`";
  for (const char letter : name) quoted.append(letter == '`' ? 2 : 1, letter);
  return quoted + "`";
}

}  // namespace

std::vector<std::string> ColumnNames(const DataOptions& data) {
  std::vector<std::string> columns;
  for (const std::string& name : data.FieldNames()) {
    columns.push_back(Quoted(name));
  }
  return columns;
}

mariadb::Tables TablesOf(const DataOptions& data,
                         const std::vector<std::string>& columns) {
  const char* text =
      data.fieldlength > kMostOfText ? "MEDIUMTEXT NOT NULL" : "TEXT NOT NULL";
  const table::StoredColumn counter = {
      "ycsb_counter", {"BIGINT UNSIGNED NOT NULL DEFAULT 0"}, 8};
  table::Table records = {kTable, kTable, "", {{"ycsb_key"}}, {counter}};
  for (const std::string& column : columns) {
    records.columns.push_back({column, {text}});
  }
  return {records};
}

std::string TextOf(const char* text, const std::string& table,
                   const std::vector<std::string>& columns, Field field) {
  std::string names;
  std::string changes;
  std::string values;
  for (size_t i = 0; i < columns.size(); ++i) {
    if (field && *field != i) continue;
    const char* comma = names.empty() ? "" : ", ";
    names += comma + columns[i];
    changes += comma + columns[i] + " = ?";
    values += fmt::format("{}?", comma);
  }
  return fmt::format(fmt::runtime(text), fmt::arg("table", table),
                     fmt::arg("columns", names), fmt::arg("changes", changes),
                     fmt::arg("values", values));
}

}  // namespace waltax::ycsb::sql
