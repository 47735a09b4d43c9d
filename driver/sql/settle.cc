#include "driver/sql/settle.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace waltax::mariadb {
namespace {

constexpr unsigned kAccessDenied = 1227;  // ER_SPECIFIC_ACCESS_DENIED_ERROR

SqlStatus FlushMemtables(Connection& connection, bool and_lzero) {
  const std::string_view what =
      and_lzero ? "memtable_and_lzero_now" : "memtable_now";
  const SqlStatus set = connection.Execute(
      fmt::format("SET GLOBAL rocksdb_force_flush_{} = ON", what));
  if (set.code != kAccessDenied) return set;
  // engines/server/account.py made it.
  const SqlStatus called =
      connection.Execute(fmt::format("CALL waltaxflush.{}()", what));
  if (called.ok()) return called;
  return {set.code, set.message + "; " + called.message};
}

}  // namespace

Status AnalyzeTables(Connection& connection, const std::string& tables) {
  const std::string operation = "analyze " + tables;
  // Table, operation, kind of message, message.
  std::vector<std::vector<std::string>> said;
  const SqlStatus status = connection.Query("ANALYZE TABLE " + tables, &said);
  if (!status.ok()) return Explained(status, operation);
  for (const auto& row : said) {
    if (row[2] != "Error") continue;
    return Status::Failed(
        fmt::format("cannot {}: {}: {}", operation, row[0], row[3]));
  }
  return Status::Ok();
}

Status Settle(Connection& connection, const std::string& engine,
              const std::string& tables, bool and_lzero) {
  const Status analyzed = AnalyzeTables(connection, tables);
  if (!analyzed.ok() || engine != "myrocks") return analyzed;
  const SqlStatus flushed = FlushMemtables(connection, and_lzero);
  return flushed.ok() ? Status::Ok()
                      : Explained(flushed, "write to tables what was loaded");
}

}  // namespace waltax::mariadb
