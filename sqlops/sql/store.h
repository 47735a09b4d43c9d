// The store on a MariaDB server with MyRocks or InnoDB (table: sql/schema.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "driver/retry.h"
#include "driver/status.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"
#include "sqlops/sql/schema.h"
#include "sqlops/store.h"
#include "sqlops/student.h"

namespace waltax::sqlops {

// Thread-safe.
class SqlStore : public Store {
 public:
  // `students` are what its rows must hold.
  SqlStore(SqlPlace place, const Options& options, const Students& students);

  // A session that cannot connect is one whose every statement fails for that
  // reason.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(Before* before) override;
  Status Check(const Expected& expected, CheckResult* result) override;

 private:
  SqlPlace place_;
  Options options_;
  Students students_;
};

// One worker's access to the store, on a connection in autocommit mode.
// Statements are prepared when they are first wanted.
class SqlSession : public Session {
 public:
  // Where it cannot connect, each statement fails and says why.
  SqlSession(const SqlPlace& place, int max_retries, uint64_t seed);

  Reply Insert(const Student& student) override;
  Reply Rename(uint64_t id, std::string_view name) override;
  Reply Delete(uint64_t id) override;
  Reply Read(Op op, uint64_t parameter) override;

 private:
  // Prepares the statement of an operation, and executes it by
  // `SqlStatus attempt(Statement&, Reply*)` until no conflict is in its way.
  template <typename Attempt>
  Reply Run(Op op, const Attempt& attempt);
  mariadb::SqlStatus Get(Op op, mariadb::Statement** statement);

  std::unique_ptr<mariadb::Connection> connection_;
  RetryLoop retries_;
  std::array<std::unique_ptr<mariadb::Statement>, kOps> prepared_;  // by Op
  std::string error_;
  bool opened_ = false;
};

}  // namespace waltax::sqlops
