#include "driver/sql/load.h"

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/steps.h"

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

Status WantEmptyDatabase(Connection& connection) {
  std::vector<std::vector<std::string>> tables;
  const SqlStatus status = connection.Query("SHOW TABLES", &tables);
  if (!status.ok()) return Explained(status, "list the database's tables");
  if (tables.empty()) return Status::Ok();
  return Status::Usage(fmt::format(
      "--database: found {} tables (\"{}\") in \"{}\", want an empty database; "
      "drop it to load again",
      tables.size(), tables[0][0], connection.handle()->db));
}

Status RunParallelLoad(const ParallelLoad& load) {
  const auto connect = [&load](Step* step) {
    std::unique_ptr<Connection> opened;
    const Status status = Connection::Open(load.server, &opened);
    const std::shared_ptr<Connection> connection = std::move(opened);
    *step = [&load, connection](uint64_t number) {
      return load.load(number, *connection);
    };
    return status;
  };
  return RunSteps({load.threads, load.steps, connect, load.report});
}

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
