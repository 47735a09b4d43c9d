#include "tpcc/sql_store.h"

#include "mariadb/connection.h"
#include "tpcc/sql_scan.h"
#include "tpcc/sql_session.h"

namespace waltax::tpcc {

std::unique_ptr<Session> SqlStore::NewSession(uint64_t seed) {
  std::unique_ptr<Session> session;
  const Status status = SqlSession::Open(flags_, max_retries_, seed, &session);
  if (status.ok()) return session;
  return std::make_unique<BrokenSession>(status.message());
}

Status SqlStore::Scan(Table table, std::string_view prefix,
                      RowVisitor* visitor) const {
  std::unique_ptr<mariadb::Connection> connection;
  const Status status = mariadb::Connection::Open(flags_, &connection);
  if (!status.ok()) return status;
  return ScanTable(*connection, table, prefix, visitor);
}

}  // namespace waltax::tpcc
