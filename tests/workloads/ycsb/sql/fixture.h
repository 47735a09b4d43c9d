// YCSB's table in a fresh database of the test's server.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "tests/driver/sql/server.h"
#include "workloads/ycsb/sql/statements.h"

namespace waltax::ycsb {

class SqlDatabase {
 public:
  [[nodiscard]] const mariadb::SqlPlace& place() const { return place_; }
  [[nodiscard]] mariadb::Connection& connection() { return *connection_; }
  void CreateTable(const DataOptions& data) {
    const std::vector<std::string> columns = sql::ColumnNames(data);
    const Status status = mariadb::CreateTables(
        *connection_, sql::TablesOf(data, columns), place_.engine);
    if (!status.ok()) throw std::runtime_error(status.message());
  }
  void Execute(const std::string& sql) {
    mariadb::MustExecute(*connection_, sql);
  }

 private:
  mariadb::SqlPlace place_ = {mariadb::TestServer("ycsb_test"),
                              mariadb::TestEngine()};
  std::unique_ptr<mariadb::Connection> connection_ =
      mariadb::Connect(place_.server);
};

}  // namespace waltax::ycsb
