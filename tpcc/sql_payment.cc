#include "tpcc/sql_payment.h"

#include "tpcc/now.h"
#include "tpcc/order_rules.h"
#include "tpcc/sql_statements.h"
#include "tpcc/sql_text.h"

namespace waltax::tpcc {

using mariadb::SqlStatus;

Status SqlPayment::Prepare(mariadb::Connection& connection) {
  return PrepareAll(connection, {{&pay_warehouse_, sql::kPayWarehouse},
                                 {&pay_district_, sql::kPayDistrict},
                                 {&pay_customer_, sql::kPayCustomer},
                                 {&read_paid_, sql::kReadPaid},
                                 {&insert_history_, sql::kInsertHistory}});
}

SqlStatus SqlPayment::Try(const PaymentInput& input, PaymentOutput* output) {
  uint32_t c_id = 0;
  output->date = Now();
  SqlStatus status = names_.Find(input.customer, &c_id);
  if (status.ok()) status = Pay(input, c_id);
  if (status.ok()) status = ReadPaid(input, c_id, output);
  if (status.ok()) status = InsertHistory(input, *output);
  return status;
}

SqlStatus SqlPayment::Pay(const PaymentInput& input, uint32_t c_id) {
  const std::string amount = Money(input.amount);
  SqlStatus status =
      UpdateRow(Table::kWarehouse, *pay_warehouse_, amount, input.w_id);
  if (!status.ok()) return status;
  status = UpdateRow(Table::kDistrict, *pay_district_, amount, input.w_id,
                     input.d_id);
  if (!status.ok()) return status;
  WriteCreditNote(input, c_id, &customer_data_);
  return UpdateRow(Table::kCustomer, *pay_customer_, amount, amount,
                   customer_data_, input.customer.w_id, input.customer.d_id,
                   c_id);
}

SqlStatus SqlPayment::ReadPaid(const PaymentInput& input, uint32_t c_id,
                               PaymentOutput* output) {
  mariadb::Statement& row = *read_paid_;
  const SqlStatus status =
      ReadRow(Table::kCustomer, row, input.w_id, input.w_id, input.d_id,
              input.customer.w_id, input.customer.d_id, c_id);
  if (!status.ok()) return status;
  history_data_ = row.Text(0);
  history_data_.append(4, ' ');
  history_data_.append(row.Text(1));
  output->c_id = c_id;
  output->c_balance = ParseMoney(row.Text(2));
  output->c_credit_lim = ParseMoney(row.Text(3));
  output->c_discount = ParseRate(row.Text(4));
  output->c_credit = row.Text(5);
  payment_cnt_ = static_cast<uint32_t>(row.Unsigned(6));
  output->c_data.clear();
  if (output->c_credit == kBadCredit) output->c_data = row.Text(7);
  return status;
}

// Under the customer's lock nobody else can have this payment's number.
SqlStatus SqlPayment::InsertHistory(const PaymentInput& input,
                                    const PaymentOutput& output) {
  return insert_history_->Run(input.customer.w_id, input.customer.d_id,
                              output.c_id, payment_cnt_, input.w_id, input.d_id,
                              TimeText(output.date), Money(input.amount),
                              history_data_);
}

}  // namespace waltax::tpcc
