// The table of records on a server, as the original's JDBC binding has it, and
// the statements of the six operations. Each names the columns that it wants,
// of one field or of all, where the original reads all (defect Y8).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mariadb/tables.h"
#include "ycsb/options.h"
#include "ycsb/records.h"

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

// The fields' names as columns.
std::vector<std::string> ColumnNames(const DataOptions& data);

// The table with columns of these names, which must outlive it: the key, the
// counter of read-modify-writes, the fields.
mariadb::Tables TablesOf(const DataOptions& data,
                         const std::vector<std::string>& columns);

// One of the texts above, of a table with these columns.
std::string TextOf(const char* text, const std::string& table,
                   const std::vector<std::string>& columns, Field field);

}  // namespace waltax::ycsb::sql
