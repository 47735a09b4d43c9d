// The store on a MariaDB server with MyRocks or InnoDB (table: statements.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/status.h"
#include "driver/sql/connection.h"
#include "workloads/ycsb/population.h"
#include "workloads/ycsb/sql/statements.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

// What a change of the schema must increase: older data sets are then refused.
inline constexpr int kSqlSchemaVersion = 1;

using mariadb::SqlPlace;

// Creates the table in an empty database.
Status CreateTable(mariadb::Connection& connection, const SqlPlace& place,
                   const DataOptions& data);

// The same, and fills it on all cores: returns with all records in it,
// everything out of memory and in tables. Fails (usage) when the database is
// not empty. On failure it must be dropped.
Status LoadSql(const SqlPlace& place, const Load& load, RecordsLoaded* loaded);

class SqlStore : public Store {
 public:
  // An operation that met `max_retries` conflicts, or still meets one after
  // 10 s, fails.
  SqlStore(SqlPlace place, const DataOptions& data, int max_retries,
           std::string table = sql::kTable);

  // Connects twice.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status ReadRows(const KeyRange& range, bool fields,
                  const VisitRow& visit) override;

 private:
  friend class SqlSession;

  SqlPlace place_;
  std::string table_;
  std::vector<std::string> columns_;
  int max_retries_;
};

}  // namespace waltax::ycsb
