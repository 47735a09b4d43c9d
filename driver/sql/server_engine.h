// A server's storage engine as the driver observes it around each slice.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>

#include "driver/engine.h"
#include "driver/sql/connection.h"
#include "driver/status.h"

namespace waltax::mariadb {

class ServerEngine : public Engine {
 public:
  static Status Open(const SqlPlace& place,
                     std::unique_ptr<ServerEngine>* engine);

  // {"name", "server_version", "variables": {every global variable, as text}}.
  [[nodiscard]] nlohmann::json Describe() const override;
  // Global status variables that count, under their own names in small
  // letters: "rocksdb_wal_synced", "innodb_os_log_written". The last known ones
  // when the server does not answer any more.
  [[nodiscard]] Counters Snapshot() const override;
  // Every statement waits for its answer alone.
  [[nodiscard]] bool WaitsForSockets() const override { return true; }
  // MyRocks: of all table files and memtables. InnoDB: of all files of the
  // database's tables. 0 when the server does not answer.
  [[nodiscard]] uint64_t DataBytes() const override;

  [[nodiscard]] DataPlace Place() const override {
    return {"--database", place_.Name(),
            "drop the database, create it and load again"};
  }
  // One row of a table of its own.
  Status WriteRecord(const std::string& program,
                     const std::string& text) override;
  Status ReadRecord(const std::string& program, std::string* text) override;

 private:
  ServerEngine(SqlPlace place, std::unique_ptr<Connection> connection)
      : place_(std::move(place)), connection_(std::move(connection)) {}

  SqlPlace place_;
  std::unique_ptr<Connection> connection_;
  mutable Counters last_;  // of Snapshot()
};

// The clause of CREATE TABLE: "ENGINE=ROCKSDB" for "myrocks", "ENGINE=InnoDB"
// for "innodb".
std::string TableClause(const std::string& engine);

}  // namespace waltax::mariadb
