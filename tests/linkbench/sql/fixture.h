// LinkBench tables in a fresh database of the test's server.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "driver/sql/tables.h"
#include "linkbench/tables.h"
#include "tests/driver/sql/server.h"

namespace waltax::linkbench {

class SqlDatabase {
 public:
  [[nodiscard]] const mariadb::SqlPlace& place() const { return place_; }
  [[nodiscard]] mariadb::Connection& connection() { return *connection_; }
  // The first node gets `first_node`.
  void CreateTables(uint64_t first_node) {
    Must(mariadb::CreateTables(*connection_, Tables(), place_.engine));
    Must(mariadb::CreateIndexes(*connection_, Tables(), place_.engine));
    Execute("ALTER TABLE nodetable AUTO_INCREMENT = " +
            std::to_string(first_node));
  }
  void Execute(const std::string& sql) {
    mariadb::MustExecute(*connection_, sql);
  }
  std::vector<std::vector<std::string>> Rows(const std::string& sql) {
    std::vector<std::vector<std::string>> rows;
    const mariadb::SqlStatus status = connection_->Query(sql, &rows);
    if (!status.ok()) throw std::runtime_error(mariadb::ToString(status));
    return rows;
  }

 private:
  static void Must(const Status& status) {
    if (!status.ok()) throw std::runtime_error(status.message());
  }

  mariadb::SqlPlace place_ = {mariadb::TestServer("linkbench_test"),
                              mariadb::TestEngine()};
  std::unique_ptr<mariadb::Connection> connection_ =
      mariadb::Connect(place_.server);
};

}  // namespace waltax::linkbench
