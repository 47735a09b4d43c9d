// The store on a MariaDB server with MyRocks or InnoDB (tables: sql_schema.h).
#pragma once

#include <cstdint>
#include <memory>

#include "linkbench/sql_schema.h"
#include "linkbench/store.h"

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

}  // namespace waltax::linkbench
