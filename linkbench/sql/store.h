// The store on a MariaDB server with MyRocks or InnoDB (tables: sql/schema.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/retry.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "linkbench/sql/schema.h"
#include "linkbench/store.h"
#include "mariadb/connection.h"
#include "mariadb/statement.h"
#include "mariadb/text_read.h"
#include "mariadb/transaction.h"

namespace waltax::linkbench {

// Thread-safe.
class SqlStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  SqlStore(SqlPlace place, int max_retries);

  // Connects twice. A session that cannot is one whose every operation fails
  // for that reason.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Check(int threads, CheckResult* result) override;

 private:
  SqlPlace place_;
  int max_retries_;
};

// Reads linktable by its primary key and by id1_type, and counttable, side by
// side on `threads` threads with three connections each, and verifies what
// CheckRanges() says. All workers must be idle.
Status CheckSqlTables(const SqlPlace& place, int threads, CheckResult* result);

}  // namespace waltax::linkbench
