// How the five transactions reach their rows on a server.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

using SqlStatement = std::unique_ptr<mariadb::Statement>;

struct ToPrepare {
  SqlStatement* statement;
  std::string_view sql;
};
Status PrepareAll(mariadb::Connection& connection,
                  std::initializer_list<ToPrepare> statements);

// What is broken about a table whose rows TPC-C never deletes.
mariadb::SqlStatus MissingSqlRow(Table table);

// Two transactions took the same row where only one can: to be tried again.
mariadb::SqlStatus LostRace(std::string_view what);

// Executes a query of a row that must be there, and reads it.
template <typename... Values>
mariadb::SqlStatus ReadRow(Table table, mariadb::Statement& query,
                           const Values&... values) {
  mariadb::SqlStatus status = query.Run(values...);
  if (!status.ok() || query.Next(&status)) return status;
  return status.ok() ? MissingSqlRow(table) : status;
}

// Executes an UPDATE of a row that must be there.
template <typename... Values>
mariadb::SqlStatus UpdateRow(Table table, mariadb::Statement& update,
                             const Values&... values) {
  mariadb::SqlStatus status = update.Run(values...);
  if (!status.ok() || update.matched_rows() == 1) return status;
  return MissingSqlRow(table);
}

}  // namespace waltax::tpcc
