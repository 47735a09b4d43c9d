#include "driver/sql/data_set_record.h"

#include <fmt/format.h>
#include <mysqld_error.h>

#include <nlohmann/json.hpp>

#include "driver/sql/server_engine.h"
#include "driver/sql/statement.h"

namespace waltax::mariadb {
namespace {

std::string Shown(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "unknown" : value.dump();
}

std::string DatabaseOf(Connection& connection) {
  const char* database = connection.handle()->db;
  return database == nullptr ? "" : database;
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
      tables.size(), tables[0][0], DatabaseOf(connection)));
}

Status WriteDataSetRecord(Connection& connection, const std::string& engine,
                          const std::string& workload, int layout,
                          nlohmann::json record) {
  constexpr char kOperation[] = "write the data set's description";
  record["workload"] = workload;
  record["layout"] = layout;
  SqlStatus done = connection.Execute(
      "CREATE TABLE data_set (id TINYINT UNSIGNED PRIMARY KEY, record "
      "MEDIUMBLOB NOT NULL) " +
      TableClause(engine));
  if (!done.ok()) return Explained(done, kOperation);
  std::unique_ptr<Statement> insert;
  Status status = Statement::Prepare(
      &connection, "INSERT INTO data_set VALUES (1, ?)", &insert);
  if (!status.ok()) return status;
  done = insert->Run(record.dump());
  // Whatever mode the session is in.
  if (done.ok()) done = connection.Execute("COMMIT");
  return done.ok() ? Status::Ok() : Explained(done, kOperation);
}

Status ReadDataSetRecord(Connection& connection, const std::string& workload,
                         int layout, nlohmann::json* record) {
  std::vector<std::vector<std::string>> rows;
  const SqlStatus asked =
      connection.Query("SELECT record FROM data_set WHERE id = 1", &rows);
  if (!asked.ok() && asked.code != ER_NO_SUCH_TABLE) {
    return Explained(asked, "read the data set's description");
  }
  const std::string text = rows.empty() ? "" : rows[0][0];
  *record = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  const std::string database = DatabaseOf(connection);
  if (!record->is_object()) {
    return Status::Usage(
        fmt::format("--database: the data set in \"{}\" is missing or "
                    "incomplete: drop the database, create it and load again",
                    database));
  }
  // As JSON, since a damaged record may have any types.
  const nlohmann::json found_workload = (*record)["workload"];
  const nlohmann::json found_layout = (*record)["layout"];
  if (found_workload == workload && found_layout == layout) {
    return Status::Ok();
  }
  return Status::Usage(fmt::format(
      "--database: the data set in \"{}\" is {} layout {}, want {} layout {}: "
      "load again",
      database, Shown(found_workload), Shown(found_layout), workload, layout));
}

}  // namespace waltax::mariadb
