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

class SqlSession : public StepSession<mariadb::SqlStatus> {
 public:
  // Connects, and prepares the statements of all steps, on tables whose names
  // have `behind` added.
  static Status Open(const mariadb::SqlPlace& place, const Values& values,
                     const std::string& behind, uint64_t seed,
                     std::unique_ptr<SqlSession>* session);

 private:
  using SqlStatus = mariadb::SqlStatus;

  // A step's statements, on the connection that its commit is for.
  struct Prepared {
    bool alone = false;  // commits by itself, when the statement ends
    std::vector<std::unique_ptr<mariadb::Statement>> statements;
    std::unique_ptr<mariadb::TextRead> text;  // instead of them
  };

  SqlSession(const Values& values, uint64_t seed)
      : StepSession(values), retries_(kMaxRetries, seed) {}
  Status Prepare(const mariadb::SqlPlace& place, const std::string& behind,
                 uint64_t seed, const Step& step, bool alone);

  SqlStatus CommitSteps(const Operation& operation, const Step& first,
                        Conflicts* conflicts) override;
  std::string Explain(const SqlStatus& status, bool* fatal) override;
  SqlStatus Get(const RequestStep& at) override;
  SqlStatus ScanRows(const RequestStep& at) override;
  SqlStatus Write(const RequestStep& at, size_t turn) override;
  SqlStatus Change(const RequestStep& at, size_t turn) override;

  mariadb::Statement& StatementOf(const RequestStep& at) {
    return *prepared_[at.step.place].statements[at.picked()];
  }
  void BindKey(size_t table, uint64_t number, mariadb::Statement* statement);

  std::unique_ptr<mariadb::Connection> own_;  // in autocommit mode
  std::unique_ptr<mariadb::Connection> shared_;
  std::unique_ptr<mariadb::Transaction> transaction_;
  RetryLoop retries_;
  std::vector<Prepared> prepared_;  // by the place of the step
  std::string id_;
};

}  // namespace waltax::mix
