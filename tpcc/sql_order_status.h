// Order-Status (clause 2.6) on a server.
#pragma once

#include <cstdint>

#include "tpcc/sql_customer_names.h"
#include "tpcc/sql_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class SqlOrderStatus {
 public:
  explicit SqlOrderStatus(SqlCustomerNames* names) : names_(*names) {}
  Status Prepare(mariadb::Connection& connection);

  mariadb::SqlStatus Read(const OrderStatusInput& input,
                          OrderStatusOutput* output);

 private:
  mariadb::SqlStatus ReadNewest(const CustomerChoice& customer, uint32_t c_id,
                                OrderStatusOutput* output);
  mariadb::SqlStatus ReadLines(const CustomerChoice& customer,
                               OrderStatusOutput* output);

  SqlCustomerNames& names_;
  SqlStatement read_newest_;
  SqlStatement read_lines_;
};

}  // namespace waltax::tpcc
