// Stock-Level (clause 2.8) on a server.
#pragma once

#include "tpcc/sql_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class SqlStockLevel {
 public:
  Status Prepare(mariadb::Connection& connection);

  mariadb::SqlStatus Read(const StockLevelInput& input,
                          StockLevelOutput* output);

 private:
  SqlStatement read_next_order_;
  SqlStatement count_low_;
};

}  // namespace waltax::tpcc
