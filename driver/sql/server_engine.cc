#include "driver/sql/server_engine.h"

#include <fmt/format.h>
#include <mysqld_error.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

#include "driver/sql/statement.h"

namespace waltax::mariadb {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// Those that a server does not have it leaves out.
constexpr char kCounters[] =
    "SELECT LOWER(variable_name), variable_value FROM "
    "information_schema.global_status WHERE variable_name IN ("
    "'binlog_bytes_written', 'binlog_group_commits', 'rocksdb_wal_bytes', "
    "'rocksdb_wal_synced', 'rocksdb_wal_group_syncs', 'rocksdb_write_self', "
    "'rocksdb_write_other', 'rocksdb_write_wal', 'rocksdb_bytes_written', "
    "'rocksdb_number_keys_written', 'rocksdb_flush_write_bytes', "
    "'rocksdb_compact_read_bytes', 'rocksdb_compact_write_bytes', "
    "'rocksdb_block_cache_hit', 'rocksdb_block_cache_miss', "
    "'rocksdb_stall_micros', 'innodb_os_log_written', 'innodb_log_writes', "
    "'innodb_log_write_requests', 'innodb_log_waits', 'innodb_data_fsyncs', "
    "'innodb_data_writes', 'innodb_data_written', 'innodb_data_reads', "
    "'innodb_data_read', 'innodb_pages_written', 'innodb_pages_read', "
    "'innodb_dblwr_writes', 'innodb_buffer_pool_reads', "
    "'innodb_buffer_pool_read_requests', 'innodb_row_lock_waits', "
    "'innodb_row_lock_time', 'innodb_deadlocks')";

// From the engine's own books: no file is opened for it.
constexpr char kMyrocksBytes[] =
    "SELECT (SELECT COALESCE(SUM(value), 0) FROM "
    "information_schema.rocksdb_compaction_stats WHERE level = 'Sum' AND type "
    "= 'SizeBytes') + (SELECT COALESCE(SUM(value), 0) FROM "
    "information_schema.rocksdb_cfstats WHERE stat_type = "
    "'CUR_SIZE_ALL_MEM_TABLES')";

}  // namespace

std::string TableClause(const std::string& engine) {
  return engine == "myrocks" ? "ENGINE=ROCKSDB" : "ENGINE=InnoDB";
}

Status ServerEngine::Open(const SqlPlace& place,
                          std::unique_ptr<ServerEngine>* engine) {
  std::unique_ptr<Connection> connection;
  TRY(Connection::Open(place.server, &connection));
  engine->reset(new ServerEngine(place, std::move(connection)));
  return Status::Ok();
}

Status ServerEngine::WriteRecord(const std::string& /*program*/,
                                 const std::string& text) {
  SqlStatus done = connection_->Execute(
      "CREATE TABLE data_set (id TINYINT UNSIGNED PRIMARY KEY, record "
      "MEDIUMBLOB NOT NULL) " +
      TableClause(place_.engine));
  if (done.ok()) {
    done = Statement(connection_.get(), "INSERT INTO data_set VALUES (1, ?)",
                     Statement::Sent::kAsText)
               .Run(text);
  }
  return done.ok() ? Status::Ok()
                   : Explained(done, "write the data set's description");
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
  connection_->Query(
      "SELECT LOWER(variable_name), variable_value FROM "
      "information_schema.global_variables",
      &rows);
  nlohmann::json variables = nlohmann::json::object();
  for (const auto& row : rows) variables[row[0]] = row[1];
  return {{"name", place_.engine},
          {"server_version", mysql_get_server_info(connection_->handle())},
          {"variables", std::move(variables)}};
}

Counters ServerEngine::Snapshot() const {
  Rows rows;
  if (!connection_->Query(kCounters, &rows).ok()) return last_;
  for (const auto& row : rows) {
    last_[row[0]] = std::strtoull(row[1].c_str(), nullptr, 10);
  }
  return last_;
}

uint64_t ServerEngine::DataBytes() const {
  const std::string sql =
      place_.engine == "myrocks"
          ? kMyrocksBytes
          : fmt::format(
                "SELECT COALESCE(SUM(file_size), 0) FROM "
                "information_schema.innodb_sys_tablespaces WHERE name LIKE "
                "'{}/%'",
                place_.server.database);
  Rows rows;
  connection_->Query(sql, &rows);
  return rows.empty() ? 0 : std::strtoull(rows[0][0].c_str(), nullptr, 10);
}

}  // namespace waltax::mariadb
