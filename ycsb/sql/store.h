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

}  // namespace waltax::ycsb
