#include "driver/sql/server_engine.h"

#include <fmt/format.h>
#include <mysqld_error.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/sql/statement.h"

namespace waltax::mariadb {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr char kMyrocks[] = "myrocks";

// What the server calls the engine, and what its variables begin with.
std::string ServerName(const std::string& engine) {
  return engine == kMyrocks ? "ROCKSDB" : "InnoDB";
}
std::string Prefix(const std::string& engine) {
  return engine == kMyrocks ? "rocksdb" : "innodb";
}

// Words in the names of status variables that rise and fall, or say nothing of
// the work that was done.
constexpr std::array<std::string_view, 28> kNoCounters = {
    "_pending_",
    "_pages_data",
    "_pages_dirty",
    "_pages_free",
    "_pages_misc",
    "_pages_old",
    "_pages_total",
    "_bytes_data",
    "_bytes_dirty",
    "checkpoint_age",
    "checkpoint_max",
    "history_list_length",
    "_ibuf_",
    "_mem_",
    "page_size",
    "_current_waits",
    "_time_avg",
    "_time_max",
    "num_open_files",
    "undo_logs",
    "_onlineddl_",
    "_encryption_",
    "_num_page",
    "memtable_total",
    "memtable_unflushed",
    "_num_iterators",
    "compactions_running",
    "_lsn_last_checkpoint"};

bool IsCounter(std::string_view name) {
  return std::none_of(kNoCounters.begin(), kNoCounters.end(),
                      [&](std::string_view word) {
                        return name.find(word) != std::string_view::npos;
                      });
}

bool ParseWhole(const std::string& text, uint64_t* number) {
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, *number);
  return !text.empty() && parsed.ec == std::errc() && parsed.ptr == end;
}

std::string InSmallLetters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return static_cast<char>(std::tolower(c));
  });
  return text;
}

// Of the first column of the first row.
uint64_t OneNumber(Connection& connection, const std::string& sql) {
  Rows rows;
  uint64_t number = 0;
  if (connection.Query(sql, &rows).ok() && !rows.empty()) {
    ParseWhole(rows[0][0], &number);
  }
  return number;
}

}  // namespace

std::string TableClause(const std::string& engine) {
  return "ENGINE=" + ServerName(engine);
}

Status ServerEngine::Open(const SqlPlace& place,
                          std::unique_ptr<ServerEngine>* engine) {
  std::unique_ptr<Connection> connection;
  const Status status = Connection::Open(place.server, &connection);
  if (!status.ok()) return status;
  engine->reset(new ServerEngine(place, std::move(connection)));
  return status;
}

Status ServerEngine::WriteRecord(const std::string& /*program*/,
                                 const std::string& text) {
  constexpr char kOperation[] = "write the data set's description";
  SqlStatus done = connection_->Execute(
      "CREATE TABLE data_set (id TINYINT UNSIGNED PRIMARY KEY, record "
      "MEDIUMBLOB NOT NULL) " +
      TableClause(place_.engine));
  if (!done.ok()) return Explained(done, kOperation);
  std::unique_ptr<Statement> insert;
  Status status = Statement::Prepare(
      connection_.get(), "INSERT INTO data_set VALUES (1, ?)", &insert);
  if (!status.ok()) return status;
  done = insert->Run(text);
  return done.ok() ? Status::Ok() : Explained(done, kOperation);
}

Status ServerEngine::ReadRecord(const std::string& /*program*/,
                                std::string* text) {
  Rows rows;
  const SqlStatus asked =
      connection_->Query("SELECT record FROM data_set WHERE id = 1", &rows);
  if (!rows.empty()) *text = rows[0][0];
  if (asked.ok() || asked.code == ER_NO_SUCH_TABLE) return Status::Ok();
  return Explained(asked, "read the data set's description");
}

nlohmann::json ServerEngine::Describe() const {
  Rows rows;
  nlohmann::json variables = nlohmann::json::object();
  if (connection_->Query("SHOW GLOBAL VARIABLES", &rows).ok()) {
    for (const auto& row : rows) variables[InSmallLetters(row[0])] = row[1];
  }
  return {{"name", place_.engine},
          {"server_version", mysql_get_server_info(connection_->handle())},
          {"variables", std::move(variables)}};
}

Counters ServerEngine::Snapshot() const {
  Rows rows;
  const std::string sql = fmt::format(
      "SHOW GLOBAL STATUS WHERE variable_name LIKE '{}\\_%' OR "
      "variable_name IN ('Binlog_bytes_written', "
      "'Binlog_group_commits')",
      Prefix(place_.engine));
  if (!connection_->Query(sql, &rows).ok()) return last_;
  Counters counters;
  for (const auto& row : rows) {
    const std::string name = InSmallLetters(row[0]);
    uint64_t value = 0;
    if (IsCounter(name) && ParseWhole(row[1], &value)) counters[name] = value;
  }
  last_ = counters;
  return counters;
}

uint64_t ServerEngine::DataBytes() const {
  if (place_.engine == kMyrocks) {
    // From the engine's own books: no file is opened for it.
    return OneNumber(*connection_,
                     "SELECT CAST(COALESCE(SUM(value), 0) AS UNSIGNED) FROM "
                     "information_schema.rocksdb_compaction_stats WHERE level "
                     "= 'Sum' AND type = 'SizeBytes'") +
           OneNumber(*connection_,
                     "SELECT CAST(COALESCE(SUM(value), 0) AS UNSIGNED) FROM "
                     "information_schema.rocksdb_cfstats WHERE stat_type = "
                     "'CUR_SIZE_ALL_MEM_TABLES'");
  }
  return OneNumber(
      *connection_,
      fmt::format("SELECT CAST(COALESCE(SUM(file_size), 0) AS UNSIGNED) FROM "
                  "information_schema.innodb_sys_tablespaces WHERE name LIKE "
                  "'{}/%'",
                  place_.server.database));
}

}  // namespace waltax::mariadb
