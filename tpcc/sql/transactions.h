// What the five transactions on a server share, and Payment, Order-Status and
// Stock-Level, each with its prepared statements. Used by one thread.
#pragma once

#include <fmt/format.h>
#include <mysqld_error.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/sql/connection.h"
#include "driver/sql/statement.h"
#include "driver/sql/transaction.h"
#include "driver/sql/values.h"
#include "driver/status.h"
#include "tpcc/order_rules.h"
#include "tpcc/schema.h"
#include "tpcc/sql/statements.h"
#include "tpcc/store.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

using mariadb::ParseTime;
using mariadb::SqlStatus;
using mariadb::TimeText;
inline Cents ParseMoney(std::string_view text) {
  return mariadb::ParseDecimal(text, 2);
}
inline TenThousandths ParseRate(std::string_view text) {
  return static_cast<TenThousandths>(mariadb::ParseDecimal(text, 4));
}

// What is broken about a table whose rows TPC-C never deletes.
inline SqlStatus MissingSqlRow(Table table) {
  return {ER_KEY_NOT_FOUND, fmt::format("{}: a row that must exist is missing",
                                        TableOf(table).server)};
}

// Two transactions took the same row where only one can: to be tried again.
inline SqlStatus LostRace(std::string_view what) {
  return {ER_LOCK_DEADLOCK, fmt::format("snapshot conflict: {}", what)};
}

// Executes a query of a row that must be there, and reads it.
template <typename... Values>
SqlStatus ReadRow(Table table, mariadb::Statement& query,
                  const Values&... values) {
  SqlStatus status = query.Run(values...);
  if (query.Next(&status)) return status;
  return status.ok() ? MissingSqlRow(table) : status;
}

// Executes an UPDATE of a row that must be there.
template <typename... Values>
SqlStatus UpdateRow(Table table, mariadb::Statement& update,
                    const Values&... values) {
  TRY(update.Run(values...));
  return update.matched_rows() == 1 ? SqlStatus() : MissingSqlRow(table);
}

// Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2).
class SqlCustomerNames {
 public:
  explicit SqlCustomerNames(mariadb::Connection* connection)
      : find_by_name_(connection, sql::kFindByName,
                      mariadb::Statement::Sent::kAsText) {}

  // The one in the middle of those with the wanted last name; or simply the
  // wanted number.
  SqlStatus Find(const CustomerChoice& choice, uint32_t* c_id) {
    *c_id = choice.c_id;
    if (choice.c_id != 0) return {};
    SqlStatus status = find_by_name_.Run(choice.w_id, choice.d_id, choice.last);
    namesakes_.clear();
    while (find_by_name_.Next(&status)) {
      namesakes_.push_back(static_cast<uint32_t>(find_by_name_.Unsigned(0)));
    }
    TRY(status);
    if (namesakes_.empty()) return MissingSqlRow(Table::kCustomerByName);
    *c_id = MiddleOf(namesakes_);
    return {};
  }

 private:
  mariadb::Statement find_by_name_;
  std::vector<uint32_t> namesakes_;
};

// Payment (clause 2.5) on a server: six round trips, and one more to find a
// customer by name.
class SqlPayment {
 public:
  SqlPayment(mariadb::Connection* connection, SqlCustomerNames* names)
      : connection_(connection), names_(*names) {}

  // One attempt in the session's transaction.
  SqlStatus Try(const PaymentInput& input, PaymentOutput* output) {
    const std::string amount = Money(input.amount);
    const CustomerChoice& choice = input.customer;
    uint32_t c_id = 0;
    output->date = Now();
    TRY(names_.Find(choice, &c_id));
    TRY(UpdateRow(Table::kWarehouse, pay_warehouse_, amount, input.w_id));
    TRY(UpdateRow(Table::kDistrict, pay_district_, amount, input.w_id,
                  input.d_id));
    WriteCreditNote(input, c_id, &customer_data_);
    TRY(UpdateRow(Table::kCustomer, pay_customer_, amount, amount,
                  customer_data_, choice.w_id, choice.d_id, c_id));
    TRY(ReadPaid(input, c_id, output));
    // Under the customer's lock nobody else can have this payment's number.
    return insert_history_.Run(choice.w_id, choice.d_id, c_id,
                               read_paid_.Unsigned(6), input.w_id, input.d_id,
                               TimeText(output->date), amount, history_data_);
  }

 private:
  SqlStatus ReadPaid(const PaymentInput& input, uint32_t c_id,
                     PaymentOutput* output) {
    const mariadb::Statement& row = read_paid_;
    TRY(ReadRow(Table::kCustomer, read_paid_, input.w_id, input.w_id,
                input.d_id, input.customer.w_id, input.customer.d_id, c_id));
    WriteHistoryData(row.Text(0), row.Text(1), &history_data_);
    Customer customer;
    customer.balance = ParseMoney(row.Text(2));
    customer.credit_lim = ParseMoney(row.Text(3));
    customer.discount = ParseRate(row.Text(4));
    customer.credit = row.Text(5);
    customer.data = row.Text(7);
    ShowPaid(c_id, customer, output);
    return {};
  }

  mariadb::Connection* connection_;
  SqlCustomerNames& names_;
  mariadb::Statement pay_warehouse_{connection_, sql::kPayWarehouse};
  mariadb::Statement pay_district_{connection_, sql::kPayDistrict};
  mariadb::Statement pay_customer_{connection_, sql::kPayCustomer};
  mariadb::Statement read_paid_{connection_, sql::kReadPaid};
  mariadb::Statement insert_history_{connection_, sql::kInsertHistory};
  std::string customer_data_;
  std::string history_data_;
};

// Order-Status (clause 2.6) on a server.
class SqlOrderStatus {
 public:
  SqlOrderStatus(mariadb::Connection* connection, SqlCustomerNames* names)
      : connection_(connection), names_(*names) {}

  // Clause 2.6.2.2: the row with the largest O_ID. Every customer has one,
  // because clause 4.3.3.1 gives each an order and none is ever removed.
  SqlStatus Read(const OrderStatusInput& input, OrderStatusOutput* output) {
    const uint32_t w_id = input.customer.w_id;
    const uint8_t d_id = input.customer.d_id;
    TRY(names_.Find(input.customer, &output->c_id));
    TRY(ReadRow(Table::kOrderByCustomer, read_newest_, w_id, d_id, output->c_id,
                w_id, d_id, output->c_id));
    output->c_balance = ParseMoney(read_newest_.Text(0));
    output->o_id = static_cast<uint32_t>(read_newest_.Unsigned(1));
    output->entry_d = ParseTime(read_newest_.Text(2));
    output->carrier_id = static_cast<uint8_t>(read_newest_.Unsigned(3));
    output->lines.clear();
    SqlStatus status = read_lines_.Run(w_id, d_id, output->o_id);
    while (read_lines_.Next(&status)) {
      output->lines.push_back(
          {.i_id = static_cast<uint32_t>(read_lines_.Unsigned(0)),
           .supply_w_id = static_cast<uint32_t>(read_lines_.Unsigned(1)),
           .quantity = static_cast<uint8_t>(read_lines_.Unsigned(2)),
           .amount = ParseMoney(read_lines_.Text(3)),
           .delivery_d = ParseTime(read_lines_.Text(4))});
    }
    return status;
  }

 private:
  mariadb::Connection* connection_;
  SqlCustomerNames& names_;
  mariadb::Statement read_newest_{connection_, sql::kReadNewest};
  mariadb::Statement read_lines_{connection_, sql::kReadLines};
};

// Stock-Level (clause 2.8) on a server.
class SqlStockLevel {
 public:
  explicit SqlStockLevel(mariadb::Connection* connection)
      : connection_(connection) {}

  SqlStatus Read(const StockLevelInput& input, StockLevelOutput* output) {
    TRY(ReadRow(Table::kDistrict, read_next_order_, input.w_id, input.d_id));
    const uint64_t next = read_next_order_.Unsigned(0);
    const uint64_t first = next > kExaminedOrders ? next - kExaminedOrders : 0;
    TRY(ReadRow(Table::kStock, count_low_, input.w_id, input.d_id, first, next,
                input.w_id, input.threshold));
    output->low_stock = static_cast<uint32_t>(count_low_.Unsigned(0));
    return {};
  }

 private:
  mariadb::Connection* connection_;
  mariadb::Statement read_next_order_{connection_, sql::kReadNextOrder};
  mariadb::Statement count_low_{connection_, sql::kCountLow};
};

}  // namespace waltax::tpcc
