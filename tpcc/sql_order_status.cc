#include "tpcc/sql_order_status.h"

#include "tpcc/sql_statements.h"
#include "tpcc/sql_text.h"

namespace waltax::tpcc {

using mariadb::SqlStatus;

Status SqlOrderStatus::Prepare(mariadb::Connection& connection) {
  return PrepareAll(connection, {{&read_newest_, sql::kReadNewest},
                                 {&read_lines_, sql::kReadLines}});
}

SqlStatus SqlOrderStatus::Read(const OrderStatusInput& input,
                               OrderStatusOutput* output) {
  uint32_t c_id = 0;
  SqlStatus status = names_.Find(input.customer, &c_id);
  if (status.ok()) status = ReadNewest(input.customer, c_id, output);
  if (status.ok()) status = ReadLines(input.customer, output);
  return status;
}

// Clause 2.6.2.2: the row with the largest O_ID. Every customer has one,
// because clause 4.3.3.1 gives each an order and none is ever removed.
SqlStatus SqlOrderStatus::ReadNewest(const CustomerChoice& customer,
                                     uint32_t c_id, OrderStatusOutput* output) {
  mariadb::Statement& row = *read_newest_;
  const SqlStatus status =
      ReadRow(Table::kOrderByCustomer, row, customer.w_id, customer.d_id, c_id,
              customer.w_id, customer.d_id, c_id);
  if (!status.ok()) return status;
  output->c_id = c_id;
  output->c_balance = ParseMoney(row.Text(0));
  output->o_id = static_cast<uint32_t>(row.Unsigned(1));
  output->entry_d = ParseTime(row.Text(2));
  output->carrier_id = static_cast<uint8_t>(row.Unsigned(3));
  return status;
}

SqlStatus SqlOrderStatus::ReadLines(const CustomerChoice& customer,
                                    OrderStatusOutput* output) {
  mariadb::Statement& rows = *read_lines_;
  output->lines.clear();
  SqlStatus status = rows.Run(customer.w_id, customer.d_id, output->o_id);
  while (status.ok() && rows.Next(&status)) {
    output->lines.push_back(
        {.i_id = static_cast<uint32_t>(rows.Unsigned(0)),
         .supply_w_id = static_cast<uint32_t>(rows.Unsigned(1)),
         .quantity = static_cast<uint8_t>(rows.Unsigned(2)),
         .amount = ParseMoney(rows.Text(3)),
         .delivery_d = ParseTime(rows.Text(4))});
  }
  return status;
}

}  // namespace waltax::tpcc
