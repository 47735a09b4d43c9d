// The table of records on a server, as the original's JDBC binding has it, and
// the statements of the six operations. Each names the columns that it wants,
// of one field or of all, where the original reads all (defect Y8).
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "driver/sql/tables.h"
#include "workloads/ycsb/options.h"
#include "workloads/ycsb/records.h"

namespace waltax::ycsb::sql {

inline constexpr char kTable[] = "usertable";
// The same records of all nodes, as every node's server shows them.
inline constexpr char kTableOfAllNodes[] = "usertable_all";

// The counter and the fields of a key; with the second one, the row stays
// locked until the transaction ends.
inline constexpr char kRead[] =
    "SELECT ycsb_counter, {columns} FROM {table} WHERE ycsb_key = ?";
inline constexpr char kLock[] =
    "SELECT ycsb_counter, {columns} FROM {table} WHERE ycsb_key = ? FOR UPDATE";
// Both take the fields, then the key. The second one counts itself.
inline constexpr char kUpdate[] =
    "UPDATE {table} SET {changes} WHERE ycsb_key = ?";
inline constexpr char kModify[] =
    "UPDATE {table} SET {changes}, ycsb_counter = ycsb_counter + 1 "
    "WHERE ycsb_key = ?";
// Both take the key, then all fields.
inline constexpr char kInsert[] =
    "INSERT INTO {table} (ycsb_key, {columns}) VALUES (?, {values})";
inline constexpr char kReplace[] =
    "REPLACE INTO {table} (ycsb_key, {columns}) VALUES (?, {values})";
// From a key on, so many: the key and the fields.
inline constexpr char kScan[] =
    "SELECT ycsb_key, {columns} FROM {table} WHERE ycsb_key >= ? "
    "ORDER BY ycsb_key LIMIT ?";
// All rows from a key on, or from one to before another: the key, the counter,
// and the fields.
inline constexpr char kRows[] =
    "SELECT ycsb_key, ycsb_counter, {columns} FROM {table} FORCE INDEX "
    "(PRIMARY) WHERE ycsb_key >= ? ORDER BY ycsb_key";
inline constexpr char kRowsBefore[] =
    "SELECT ycsb_key, ycsb_counter, {columns} FROM {table} FORCE INDEX "
    "(PRIMARY) WHERE ycsb_key >= ? AND ycsb_key < ? ORDER BY ycsb_key";
// The same without fields.
inline constexpr char kCounters[] =
    "SELECT ycsb_key, ycsb_counter FROM {table} FORCE INDEX (PRIMARY) "
    "WHERE ycsb_key >= ? ORDER BY ycsb_key";

// A name as a column's, whatever letters it has.
inline std::string Quoted(const std::string& name) {
  std::string quoted = "`";
  for (const char letter : name) quoted.append(letter == '`' ? 2 : 1, letter);
  return quoted + "`";
}

// The fields' names as columns.
inline std::vector<std::string> ColumnNames(const DataOptions& data) {
  std::vector<std::string> columns;
  for (const std::string& name : data.FieldNames()) {
    columns.push_back(Quoted(name));
  }
  return columns;
}

// The table with columns of these names, which must outlive it: the key, the
// counter of read-modify-writes, the fields.
inline mariadb::Tables TablesOf(const DataOptions& data,
                                const std::vector<std::string>& columns) {
  const bool longer = data.fieldlength > 65'535;  // than a TEXT is at most
  const char* text = longer ? "MEDIUMTEXT NOT NULL" : "TEXT NOT NULL";
  const table::StoredColumn counter = {
      "ycsb_counter", {"BIGINT UNSIGNED NOT NULL DEFAULT 0"}, 8};
  table::Table records = {kTable, kTable, "", {{"ycsb_key"}}, {counter}};
  for (const std::string& column : columns) {
    records.columns.push_back({column, {text}});
  }
  return {records};
}

// One of the texts above, of a table with these columns.
inline std::string TextOf(const char* text, const std::string& table,
                          const std::vector<std::string>& columns,
                          Field field) {
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
