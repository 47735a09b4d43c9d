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

#include <utility>

#include "driver/sql/connection.h"
#include "driver/sql/tables.h"
#include "tpcc/sql/delivery.h"
#include "tpcc/sql/new_order.h"
#include "tpcc/sql/transactions.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

namespace {

// The five transactions as one thread's session with a server.
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
    return Run("Payment", [&] { return payment_.Try(input, output); });
  }
  Reply OrderStatus(const OrderStatusInput& input,
                    OrderStatusOutput* output) override {
    return Run("Order-Status",
               [&] { return order_status_.Read(input, output); });
  }
  Reply Delivery(const DeliveryInput& input, DeliveryOutput* output) override {
    return Run("Delivery", [&] { return delivery_.Try(input, output); });
  }
  Reply StockLevel(const StockLevelInput& input,
                   StockLevelOutput* output) override {
    return Run("Stock-Level", [&] { return stock_level_.Read(input, output); });
  }

 private:
  // Attempts it until it commits, or has to be given up.
  template <typename Attempt>
  Reply Run(const char* transaction, const Attempt& attempt) {
    Reply reply;
    const mariadb::SqlStatus status = transaction_.Run(attempt, &reply.retries);
    if (status.ok()) return reply;
    return GivenUp(transaction, ToString(status), reply);
  }

  std::unique_ptr<mariadb::Connection> connection_;
  mariadb::Transaction transaction_;
  SqlCustomerNames names_{connection_.get()};
  SqlNewOrder new_order_{connection_.get(), &transaction_};
  SqlPayment payment_{connection_.get(), &names_};
  SqlOrderStatus order_status_{connection_.get(), &names_};
  SqlDelivery delivery_{connection_.get()};
  SqlStockLevel stock_level_{connection_.get()};
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
