// The store on a MariaDB server with MyRocks or InnoDB (tables:
// linkbench/tables.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/retry.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "linkbench/store.h"
#include "driver/sql/connection.h"
#include "driver/sql/statement.h"
#include "driver/sql/text_read.h"
#include "driver/sql/transaction.h"

namespace waltax::linkbench {

// Thread-safe.
class SqlStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  SqlStore(mariadb::ServerFlags server, int max_retries)
      : server_(std::move(server)), max_retries_(max_retries) {}

  // Connects twice. A session that cannot is one whose every operation fails
  // for that reason.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(Table table, const table::KeyRange& range,
              const table::Visit& visit) const override;

 private:
  mariadb::ServerFlags server_;
  int max_retries_;
};

}  // namespace waltax::linkbench
