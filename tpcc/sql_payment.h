// Payment (clause 2.5) on a server: six round trips, and one more to find a
// customer by name.
#pragma once

#include <cstdint>
#include <string>

#include "tpcc/sql_customer_names.h"
#include "tpcc/sql_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class SqlPayment {
 public:
  explicit SqlPayment(SqlCustomerNames* names) : names_(*names) {}
  Status Prepare(mariadb::Connection& connection);

  // One attempt in the session's transaction.
  mariadb::SqlStatus Try(const PaymentInput& input, PaymentOutput* output);

 private:
  mariadb::SqlStatus Pay(const PaymentInput& input, uint32_t c_id);
  mariadb::SqlStatus ReadPaid(const PaymentInput& input, uint32_t c_id,
                              PaymentOutput* output);
  mariadb::SqlStatus InsertHistory(const PaymentInput& input,
                                   const PaymentOutput& output);

  SqlCustomerNames& names_;
  SqlStatement pay_warehouse_;
  SqlStatement pay_district_;
  SqlStatement pay_customer_;
  SqlStatement read_paid_;
  SqlStatement insert_history_;
  uint32_t payment_cnt_ = 0;
  std::string customer_data_;
  std::string history_data_;
};

}  // namespace waltax::tpcc
