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

#include "tpcc/store.h"

#include <string>
#include <utility>
#include <vector>

#include "driver/sql/connection.h"
#include "driver/sql/tables.h"
#include "driver/sql/transaction.h"
#include "tpcc/order_rules.h"
#include "tpcc/sql/delivery.h"
#include "tpcc/sql/new_order.h"
#include "tpcc/sql/statements.h"
#include "tpcc/sql/transactions.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

namespace {

using mariadb::Statement;

// The five transactions as one thread's session with a server, each with its
// prepared statements.
class SqlSession : public Session {
 public:
  SqlSession(std::unique_ptr<mariadb::Connection> connection, int max_retries,
             uint64_t seed)
      : connection_(std::move(connection)),
        transaction_(connection_.get(), max_retries, seed) {}

  Reply NewOrder(const NewOrderInput& input, NewOrderOutput* output) override {
    return Run("New-Order", [&] { return new_order_.Try(input, output); });
  }
  Reply Payment(const PaymentInput& input, PaymentOutput* output) override {
    return Run("Payment", [&] { return TryPayment(input, output); });
  }
  Reply OrderStatus(const OrderStatusInput& input,
                    OrderStatusOutput* output) override {
    return Run("Order-Status", [&] { return ReadOrder(input, output); });
  }
  Reply Delivery(const DeliveryInput& input, DeliveryOutput* output) override {
    return Run("Delivery", [&] { return delivery_.Try(input, output); });
  }
  Reply StockLevel(const StockLevelInput& input,
                   StockLevelOutput* output) override {
    return Run("Stock-Level", [&] { return CountLow(input, output); });
  }

 private:
  // Attempts it until it commits, or has to be given up.
  template <typename Attempt>
  Reply Run(const char* transaction, const Attempt& attempt) {
    Reply reply;
    const SqlStatus status = transaction_.Run(attempt, &reply.retries);
    if (status.ok()) return reply;
    return GivenUp(transaction, ToString(status), reply);
  }

  // Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2): the one in
  // the middle of those with the wanted last name; or simply the wanted number.
  SqlStatus FindCustomer(const CustomerChoice& choice, uint32_t* c_id) {
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

  // Clause 2.5: six round trips, and one more to find a customer by name.
  SqlStatus TryPayment(const PaymentInput& input, PaymentOutput* output) {
    const std::string amount = Money(input.amount);
    const CustomerChoice& choice = input.customer;
    uint32_t c_id = 0;
    output->date = Now();
    TRY(FindCustomer(choice, &c_id));
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
  SqlStatus ReadPaid(const PaymentInput& input, uint32_t c_id,
                     PaymentOutput* output) {
    const Statement& row = read_paid_;
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

  // Clause 2.6.2.2: the row with the largest O_ID. Every customer has one,
  // because clause 4.3.3.1 gives each an order and none is ever removed.
  SqlStatus ReadOrder(const OrderStatusInput& input,
                      OrderStatusOutput* output) {
    const uint32_t w_id = input.customer.w_id;
    const uint8_t d_id = input.customer.d_id;
    TRY(FindCustomer(input.customer, &output->c_id));
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

  // Clause 2.8.
  SqlStatus CountLow(const StockLevelInput& input, StockLevelOutput* output) {
    TRY(ReadRow(Table::kDistrict, read_next_order_, input.w_id, input.d_id));
    const uint64_t next = read_next_order_.Unsigned(0);
    const uint64_t first = next > kExaminedOrders ? next - kExaminedOrders : 0;
    TRY(ReadRow(Table::kStock, count_low_, input.w_id, input.d_id, first, next,
                input.w_id, input.threshold));
    output->low_stock = static_cast<uint32_t>(count_low_.Unsigned(0));
    return {};
  }

  std::unique_ptr<mariadb::Connection> connection_;
  mariadb::Transaction transaction_;
  SqlNewOrder new_order_{connection_.get(), &transaction_};
  SqlDelivery delivery_{connection_.get()};
  Statement find_by_name_{connection_.get(), sql::kFindByName,
                          Statement::Sent::kAsText};
  Statement pay_warehouse_{connection_.get(), sql::kPayWarehouse};
  Statement pay_district_{connection_.get(), sql::kPayDistrict};
  Statement pay_customer_{connection_.get(), sql::kPayCustomer};
  Statement read_paid_{connection_.get(), sql::kReadPaid};
  Statement insert_history_{connection_.get(), sql::kInsertHistory};
  Statement read_newest_{connection_.get(), sql::kReadNewest};
  Statement read_lines_{connection_.get(), sql::kReadLines};
  Statement read_next_order_{connection_.get(), sql::kReadNextOrder};
  Statement count_low_{connection_.get(), sql::kCountLow};
  std::vector<uint32_t> namesakes_;
  std::string customer_data_;
  std::string history_data_;
};

class SqlStore : public Store {
 public:
  SqlStore(const mariadb::ServerFlags& flags, int max_retries)
      : flags_(flags), max_retries_(max_retries) {}

  // With a connection of its own.
  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    std::unique_ptr<mariadb::Connection> connection;
    const Status status = mariadb::Connection::Open(flags_, &connection);
    if (!status.ok()) return std::make_unique<Session>(status.message());
    return std::make_unique<SqlSession>(std::move(connection), max_retries_,
                                        seed);
  }
  Status Scan(Table table, std::string_view prefix,
              const table::Visit& visit) const override {
    std::unique_ptr<mariadb::Connection> connection;
    TRY(mariadb::Connection::Open(flags_, &connection));
    return mariadb::ScanTable(*connection, Tables(), static_cast<size_t>(table),
                              prefix, visit);
  }
  [[nodiscard]] bool has_low_water_marks() const override { return false; }
  [[nodiscard]] std::string_view isolation() const override {
    return "read committed (clause 3.4.2: tests 7, 8 and 9 do not hold)";
  }

 private:
  mariadb::ServerFlags flags_;
  int max_retries_;
};

}  // namespace

std::unique_ptr<Store> NewSqlStore(const mariadb::ServerFlags& flags,
                                   int max_retries) {
  return std::make_unique<SqlStore>(flags, max_retries);
}

}  // namespace waltax::tpcc
