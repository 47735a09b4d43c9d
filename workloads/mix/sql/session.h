// One client of a mix on a server.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/retry.h"
#include "driver/sql/connection.h"
#include "driver/sql/statement.h"
#include "driver/sql/text_read.h"
#include "driver/sql/transaction.h"
#include "workloads/mix/sql/store.h"

namespace waltax::mix {

class SqlSession : public StepSession {
 public:
  // Connects, and prepares the statements of all steps, on tables whose names
  // have `behind` added.
  static Status Open(const mariadb::SqlPlace& place, const Values& values,
                     const std::string& behind, uint64_t seed,
                     std::unique_ptr<SqlSession>* session);

 private:
  // A step's statement, on the connection that its commit is for.
  struct Compiled {
    bool alone = false;  // commits by itself, when the statement ends
    // Of a step that picks a column, one for each.
    std::vector<std::unique_ptr<mariadb::Statement>> statements;
    std::unique_ptr<mariadb::TextRead> covered;  // out of an index alone
  };
  struct At : RequestStep {
    const Compiled& compiled;
    uint32_t& written;

    [[nodiscard]] mariadb::Statement& statement() const {
      const size_t picked =
          step.pick == kNone ? 0 : request.drawn[operation.draws[step.pick].at];
      return *compiled.statements[picked];
    }
  };

  SqlSession(const Values& values, uint64_t seed)
      : StepSession(values), retries_(kMaxRetries, seed) {}
  Status Compile(const mariadb::SqlPlace& place, const std::string& behind,
                 uint64_t seed);

  std::optional<Failure> CommitSteps(const Operation& operation,
                                     const Request& request, size_t first,
                                     size_t end, MixReply* reply) override;
  mariadb::SqlStatus Do(const At& at, MixReply* reply);
  mariadb::SqlStatus Get(const At& at, MixReply* reply);
  mariadb::SqlStatus ScanRows(const At& at, MixReply* reply);
  mariadb::SqlStatus Write(const At& at, MixReply* reply);
  mariadb::SqlStatus Change(const At& at, MixReply* reply);

  void BindKey(size_t table, uint64_t number, mariadb::Statement* statement);
  // The `turn`th row in the order of an INSERT.
  template <typename Take>
  void TakeRow(const At& at, size_t turn, const Take& take);

  std::unique_ptr<mariadb::Connection> own_;  // in autocommit mode
  std::unique_ptr<mariadb::Connection> shared_;
  std::unique_ptr<mariadb::Transaction> transaction_;
  RetryLoop retries_;
  std::vector<std::vector<Compiled>> compiled_;  // by operation and step
  Row row_;
  std::string id_;
};

}  // namespace waltax::mix
