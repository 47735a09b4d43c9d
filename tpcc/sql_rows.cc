#include "tpcc/sql_rows.h"

#include <fmt/format.h>

#include "tpcc/sql_schema.h"

namespace waltax::tpcc {

namespace {

// The server's own codes for what these say.
constexpr unsigned kKeyNotFound = 1032;  // ER_KEY_NOT_FOUND
constexpr unsigned kDeadlock = 1213;     // ER_LOCK_DEADLOCK

}  // namespace

Status PrepareAll(mariadb::Connection& connection,
                  std::initializer_list<ToPrepare> statements) {
  for (const ToPrepare& each : statements) {
    Status status =
        mariadb::Statement::Prepare(&connection, each.sql, each.statement);
    if (!status.ok()) return status;
  }
  return Status::Ok();
}

mariadb::SqlStatus MissingSqlRow(Table table) {
  return {kKeyNotFound, fmt::format("{}: a row that must exist is missing",
                                    SqlTableName(table))};
}

mariadb::SqlStatus LostRace(std::string_view what) {
  return {kDeadlock, fmt::format("snapshot conflict: {}", what)};
}

}  // namespace waltax::tpcc
