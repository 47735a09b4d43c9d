// What the five transactions on a server share.
#pragma once

#include <fmt/format.h>
#include <mysqld_error.h>

#include <string>
#include <string_view>

#include "driver/sql/connection.h"
#include "driver/sql/statement.h"
#include "driver/sql/values.h"
#include "driver/status.h"
#include "tpcc/schema.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

using mariadb::ParseTime;
using mariadb::SqlStatus;
using mariadb::TimeText;
inline Cents ParseMoney(std::string_view text) {
  return mariadb::ParseDecimal(text, 2);
}
inline TenThousandths ParseRate(std::string_view text) {
  return static_cast<TenThousandths>(mariadb::ParseDecimal(text, 4));
}

// What is broken about a table whose rows TPC-C never deletes.
inline SqlStatus MissingSqlRow(Table table) {
  return {ER_KEY_NOT_FOUND, fmt::format("{}: a row that must exist is missing",
                                        TableOf(table).server)};
}

// Two transactions took the same row where only one can: to be tried again.
inline SqlStatus LostRace(std::string_view what) {
  return {ER_LOCK_DEADLOCK, fmt::format("snapshot conflict: {}", what)};
}

// Executes a query of a row that must be there, and reads it.
template <typename... Values>
SqlStatus ReadRow(Table table, mariadb::Statement& query,
                  const Values&... values) {
  SqlStatus status = query.Run(values...);
  if (query.Next(&status)) return status;
  return status.ok() ? MissingSqlRow(table) : status;
}

// Executes an UPDATE of a row that must be there.
template <typename... Values>
SqlStatus UpdateRow(Table table, mariadb::Statement& update,
                    const Values&... values) {
  TRY(update.Run(values...));
  return update.matched_rows() == 1 ? SqlStatus() : MissingSqlRow(table);
}

}  // namespace waltax::tpcc
