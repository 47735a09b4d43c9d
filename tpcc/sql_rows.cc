#include "tpcc/sql_rows.h"

#include <fmt/format.h>
#include <mysqld_error.h>

#include "tpcc/sql_schema.h"

namespace waltax::tpcc {

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
  return {ER_KEY_NOT_FOUND, fmt::format("{}: a row that must exist is missing",
                                        SqlTableName(table))};
}

mariadb::SqlStatus LostRace(std::string_view what) {
  return {ER_LOCK_DEADLOCK, fmt::format("snapshot conflict: {}", what)};
}

}  // namespace waltax::tpcc
