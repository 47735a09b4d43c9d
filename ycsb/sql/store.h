// The store on a MariaDB server with MyRocks or InnoDB (table: sql/schema.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/retry.h"
#include "driver/status.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"
#include "mariadb/transaction.h"
#include "ycsb/check.h"
#include "ycsb/sql/schema.h"
#include "ycsb/sql/statements.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

// Thread-safe.
class SqlStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails. Survey() and Check() are about `table`, too.
  SqlStore(SqlPlace place, const DataOptions& data, int max_retries,
           const std::string& table = sql::kTable);

  // Connects twice. A session that cannot is one whose every operation fails
  // for that reason.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Survey(Totals* totals) override;
  Status Check(const Expected& expected, int threads,
               CheckResult* result) override;

 private:
  [[nodiscard]] OpenRows Rows() const;

  SqlPlace place_;
  RecordModel records_;
  std::string table_;
  sql::Statements statements_;
  int max_retries_;
};

// A statement for each field, and one for all, prepared when it is first
// wanted. Used by one thread.
class PerField {
 public:
  using Text = std::string (sql::Statements::*)(std::optional<uint32_t>) const;

  PerField(mariadb::Connection* connection, const sql::Statements& statements,
           Text text)
      : connection_(*connection), statements_(statements), text_(text) {}
  mariadb::SqlStatus Get(std::optional<uint32_t> field,
                         mariadb::Statement** statement);

 private:
  mariadb::Connection& connection_;
  const sql::Statements& statements_;
  Text text_;
  std::vector<std::unique_ptr<mariadb::Statement>> prepared_;  // all, then each
};

// One worker's access to the store: a connection for transactions of several
// statements, and one in autocommit mode. Statements and their buffers live as
// long as the session.
class SqlSession : public Session {
 public:
  static Status Open(const mariadb::ServerFlags& server,
                     const sql::Statements& statements, uint32_t fields,
                     int max_retries, uint64_t seed,
                     std::unique_ptr<SqlSession>* session);

  Reply Read(std::string_view key, std::optional<uint32_t> field,
             Row* row) override;
  Reply Update(std::string_view key, const Values& values) override;
  Reply Replace(std::string_view key, const Values& values) override;
  Reply ReadModifyWrite(std::string_view key, std::optional<uint32_t> field,
                        const Values& values, Row* row) override;
  Reply Insert(std::string_view key, const Values& values) override;
  Reply Scan(std::string_view key, uint32_t limit,
             std::optional<uint32_t> field) override;

 private:
  SqlSession(std::unique_ptr<mariadb::Connection> transactions,
             std::unique_ptr<mariadb::Connection> single,
             const sql::Statements& statements, uint32_t fields,
             int max_retries, uint64_t seed);

  // A statement that is its own transaction, tried again after conflicts.
  template <typename Attempt>
  Reply InOneStatement(const char* operation, const Attempt& attempt);
  Reply Ended(const char* operation, const mariadb::SqlStatus& status,
              Reply reply);
  // Executes with the fields and the key, in the order of Update().
  static mariadb::SqlStatus RunUpdate(mariadb::Statement* statement,
                                      std::string_view key,
                                      const Values& values);
  mariadb::SqlStatus RunInsert(mariadb::Statement* statement,
                               std::string_view key, const Values& values);
  // Takes the row that a statement has read: the counter, then the fields.
  void Take(const mariadb::Statement& statement, std::optional<uint32_t> field,
            Row* row);
  mariadb::SqlStatus TryReadModifyWrite(std::string_view key,
                                        std::optional<uint32_t> field,
                                        const Values& values, Row* row,
                                        bool* found);

  // Connections outlive statements.
  std::unique_ptr<mariadb::Connection> transactions_;
  std::unique_ptr<mariadb::Connection> single_;
  mariadb::Transaction transaction_;
  RetryLoop retries_;
  uint32_t fields_;
  PerField read_;
  PerField update_;
  PerField scan_;
  PerField lock_;
  PerField modify_;
  std::unique_ptr<mariadb::Statement> insert_;
  std::unique_ptr<mariadb::Statement> replace_;
  std::vector<std::string> taken_;
  std::string error_;
};

}  // namespace waltax::ycsb
