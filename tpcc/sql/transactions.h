// What the five transactions on a server share, and Payment, Order-Status and
// Stock-Level, each with its prepared statements. Used by one thread.
#pragma once

#include <fmt/format.h>
#include <mysqld_error.h>

#include <cstdint>
#include <memory>
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

using SqlStatement = std::unique_ptr<mariadb::Statement>;

using mariadb::ParseTime;
using mariadb::PrepareAll;
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
  if (!status.ok() || query.Next(&status)) return status;
  return status.ok() ? MissingSqlRow(table) : status;
}

// Executes an UPDATE of a row that must be there.
template <typename... Values>
SqlStatus UpdateRow(Table table, mariadb::Statement& update,
                    const Values&... values) {
  SqlStatus status = update.Run(values...);
  if (!status.ok() || update.matched_rows() == 1) return status;
  return MissingSqlRow(table);
}

// Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2).
class SqlCustomerNames {
 public:
  void Prepare(mariadb::Connection& connection) {
    find_by_name_ = mariadb::Statement::AsText(&connection, sql::kFindByName);
  }

  // Of the n customers with the wanted last name, ordered by first name, the
  // one at position n/2, rounded up; or simply the wanted number.
  SqlStatus Find(const CustomerChoice& choice, uint32_t* c_id) {
    *c_id = choice.c_id;
    if (choice.c_id != 0) return {};
    SqlStatus status =
        find_by_name_->Run(choice.w_id, choice.d_id, choice.last);
    namesakes_.clear();
    while (status.ok() && find_by_name_->Next(&status)) {
      namesakes_.push_back(static_cast<uint32_t>(find_by_name_->Unsigned(0)));
    }
    if (!status.ok()) return status;
    if (namesakes_.empty()) return MissingSqlRow(Table::kCustomerByName);
    *c_id = namesakes_[(namesakes_.size() + 1) / 2 - 1];
    return status;
  }

 private:
  std::unique_ptr<mariadb::Statement> find_by_name_;
  std::vector<uint32_t> namesakes_;
};

// Payment (clause 2.5) on a server: six round trips, and one more to find a
// customer by name.
class SqlPayment {
 public:
  explicit SqlPayment(SqlCustomerNames* names) : names_(*names) {}
  Status Prepare(mariadb::Connection& connection) {
    return PrepareAll(connection, {{&pay_warehouse_, sql::kPayWarehouse},
                                   {&pay_district_, sql::kPayDistrict},
                                   {&pay_customer_, sql::kPayCustomer},
                                   {&read_paid_, sql::kReadPaid},
                                   {&insert_history_, sql::kInsertHistory}});
  }

  // One attempt in the session's transaction.
  SqlStatus Try(const PaymentInput& input, PaymentOutput* output) {
    uint32_t c_id = 0;
    output->date = Now();
    SqlStatus status = names_.Find(input.customer, &c_id);
    if (status.ok()) status = Pay(input, c_id);
    if (status.ok()) status = ReadPaid(input, c_id, output);
    if (status.ok()) status = InsertHistory(input, *output);
    return status;
  }

 private:
  SqlStatus Pay(const PaymentInput& input, uint32_t c_id) {
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
  SqlStatus ReadPaid(const PaymentInput& input, uint32_t c_id,
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
  SqlStatus InsertHistory(const PaymentInput& input,
                          const PaymentOutput& output) {
    return insert_history_->Run(input.customer.w_id, input.customer.d_id,
                                output.c_id, payment_cnt_, input.w_id,
                                input.d_id, TimeText(output.date),
                                Money(input.amount), history_data_);
  }

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

// Order-Status (clause 2.6) on a server.
class SqlOrderStatus {
 public:
  explicit SqlOrderStatus(SqlCustomerNames* names) : names_(*names) {}
  Status Prepare(mariadb::Connection& connection) {
    return PrepareAll(connection, {{&read_newest_, sql::kReadNewest},
                                   {&read_lines_, sql::kReadLines}});
  }

  SqlStatus Read(const OrderStatusInput& input, OrderStatusOutput* output) {
    uint32_t c_id = 0;
    SqlStatus status = names_.Find(input.customer, &c_id);
    if (status.ok()) status = ReadNewest(input.customer, c_id, output);
    if (status.ok()) status = ReadLines(input.customer, output);
    return status;
  }

 private:
  // Clause 2.6.2.2: the row with the largest O_ID. Every customer has one,
  // because clause 4.3.3.1 gives each an order and none is ever removed.
  SqlStatus ReadNewest(const CustomerChoice& customer, uint32_t c_id,
                       OrderStatusOutput* output) {
    mariadb::Statement& row = *read_newest_;
    const SqlStatus status =
        ReadRow(Table::kOrderByCustomer, row, customer.w_id, customer.d_id,
                c_id, customer.w_id, customer.d_id, c_id);
    if (!status.ok()) return status;
    output->c_id = c_id;
    output->c_balance = ParseMoney(row.Text(0));
    output->o_id = static_cast<uint32_t>(row.Unsigned(1));
    output->entry_d = ParseTime(row.Text(2));
    output->carrier_id = static_cast<uint8_t>(row.Unsigned(3));
    return status;
  }
  SqlStatus ReadLines(const CustomerChoice& customer,
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

  SqlCustomerNames& names_;
  SqlStatement read_newest_;
  SqlStatement read_lines_;
};

// Stock-Level (clause 2.8) on a server.
class SqlStockLevel {
 public:
  Status Prepare(mariadb::Connection& connection) {
    return PrepareAll(connection, {{&read_next_order_, sql::kReadNextOrder},
                                   {&count_low_, sql::kCountLow}});
  }

  SqlStatus Read(const StockLevelInput& input, StockLevelOutput* output) {
    SqlStatus status =
        ReadRow(Table::kDistrict, *read_next_order_, input.w_id, input.d_id);
    if (!status.ok()) return status;
    const uint64_t next = read_next_order_->Unsigned(0);
    const uint64_t first = next > kExaminedOrders ? next - kExaminedOrders : 0;
    status = ReadRow(Table::kStock, *count_low_, input.w_id, input.d_id, first,
                     next, input.w_id, input.threshold);
    if (status.ok()) {
      output->low_stock = static_cast<uint32_t>(count_low_->Unsigned(0));
    }
    return status;
  }

 private:
  SqlStatement read_next_order_;
  SqlStatement count_low_;
};

}  // namespace waltax::tpcc
