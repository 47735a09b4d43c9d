// The store on a server's engine, by SQL (tables: tpcc/tables.h, statements:
// sql/statements.h).
//
// The isolation is READ COMMITTED: rows that a transaction writes are locked
// until it commits, and each statement reads what was committed when it began.
// Locks are taken in one order, so that no two transactions wait for each
// other:
//
//   warehouse < new_orders < district < customer < stock
//
// and by key within a table. New-Order alone enters its order in new_orders
// after it locked its district and stock; but under a key that nobody else can
// have, so that it does not wait there, and whoever waits for that row (a
// Delivery) holds no district and no stock. That an order is delivered once
// does not hang on the isolation: Delivery counts the rows of NEW-ORDER that it
// removed.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "driver/sql/connection.h"
#include "driver/sql/transaction.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class SqlStore : public Store {
 public:
  SqlStore(mariadb::ServerFlags flags, int max_retries)
      : flags_(std::move(flags)), max_retries_(max_retries) {}

  // With a connection of its own.
  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(Table table, std::string_view prefix,
              const table::Visit& visit) const override;
  [[nodiscard]] bool has_low_water_marks() const override { return false; }
  [[nodiscard]] std::string_view isolation() const override {
    return "read committed (clause 3.4.2: tests 7, 8 and 9 do not hold)";
  }

 private:
  mariadb::ServerFlags flags_;
  int max_retries_;
};

}  // namespace waltax::tpcc
