// A mix on a server: MyRocks or InnoDB, a table for each table.
#pragma once

#include <memory>
#include <utility>

#include "driver/sql/connection.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// Thread-safe. The values outlive it.
class SqlStore : public Store {
 public:
  SqlStore(mariadb::SqlPlace place, const Values& values)
      : place_(std::move(place)), values_(values) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(size_t table, const Visit& visit) override {
    return Read(table, kNone, visit);
  }
  Status ScanIndex(size_t table, size_t index,
                   const VisitEntry& visit) override;
  // Makes the tables in a database without any, and fills them.
  Status Load(int threads, const RowReport& report, uint64_t* rows,
              uint64_t* bytes) override;

 private:
  // Shows all rows, with `index` as that has them: without other columns.
  Status Read(size_t table, size_t index, const Visit& visit) const;

  mariadb::SqlPlace place_;
  const Values& values_;
};

}  // namespace waltax::mix
