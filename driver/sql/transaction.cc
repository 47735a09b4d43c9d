#include "driver/sql/transaction.h"

namespace waltax::mariadb {

Transaction::Transaction(Connection* connection, int max_retries, uint64_t seed)
    : connection_(*connection),
      retries_(max_retries, seed),
      begun_(connection_.Execute("SET SESSION autocommit = 0")) {}

SqlStatus Transaction::Commit() {
  // After a Rollback(), or when no statement reached a table: a commit would be
  // a round trip for nothing.
  if (!connection_.InTransaction()) return {};
  return connection_.Execute("COMMIT");
}

SqlStatus Transaction::Rollback() { return connection_.Execute("ROLLBACK"); }

}  // namespace waltax::mariadb
