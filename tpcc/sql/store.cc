#include "tpcc/sql/store.h"

#include <utility>

#include "driver/sql/connection.h"
#include "driver/sql/tables.h"
#include "tpcc/sql/delivery.h"
#include "tpcc/sql/new_order.h"
#include "tpcc/sql/transactions.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

Status SqlStore::Scan(Table table, std::string_view prefix,
                      const table::Visit& visit) const {
  std::unique_ptr<mariadb::Connection> connection;
  const Status status = mariadb::Connection::Open(flags_, &connection);
  if (!status.ok()) return status;
  return mariadb::ScanTable(*connection, Tables(), static_cast<size_t>(table),
                            prefix, visit);
}

// The five transactions as one thread's session with a server.
class SqlSession : public Session {
 public:
  // Connects, and prepares all statements.
  static Status Open(const mariadb::ServerFlags& flags, int max_retries,
                     uint64_t seed, std::unique_ptr<Session>* session) {
    std::unique_ptr<mariadb::Connection> connection;
    Status status = mariadb::Connection::Open(flags, &connection);
    if (!status.ok()) return status;
    std::unique_ptr<SqlSession> opened(
        new SqlSession(std::move(connection), max_retries, seed));
    status = opened->Prepare();
    if (status.ok()) *session = std::move(opened);
    return status;
  }

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
  SqlSession(std::unique_ptr<mariadb::Connection> connection, int max_retries,
             uint64_t seed)
      : connection_(std::move(connection)),
        transaction_(connection_.get(), max_retries, seed) {}
  Status Prepare() {
    names_.Prepare(*connection_);
    Status status = new_order_.Prepare(*connection_);
    if (status.ok()) status = payment_.Prepare(*connection_);
    if (status.ok()) status = order_status_.Prepare(*connection_);
    if (status.ok()) status = delivery_.Prepare(*connection_);
    if (status.ok()) status = stock_level_.Prepare(*connection_);
    return status;
  }
  // Attempts it until it commits, or has to be given up.
  template <typename Attempt>
  Reply Run(const char* transaction, const Attempt& attempt) {
    Reply reply;
    const mariadb::SqlStatus status =
        transaction_.Run(attempt, &reply.conflicts);
    if (status.ok()) return reply;
    return GivenUp(transaction, ToString(status), IsFatal(status), reply);
  }

  std::unique_ptr<mariadb::Connection> connection_;
  mariadb::Transaction transaction_;
  SqlCustomerNames names_;
  SqlNewOrder new_order_{&transaction_};
  SqlPayment payment_{&names_};
  SqlOrderStatus order_status_{&names_};
  SqlDelivery delivery_;
  SqlStockLevel stock_level_;
};

std::unique_ptr<Session> SqlStore::NewSession(uint64_t seed) {
  std::unique_ptr<Session> session;
  const Status status = SqlSession::Open(flags_, max_retries_, seed, &session);
  if (status.ok()) return session;
  return std::make_unique<Session>(status.message());
}

}  // namespace waltax::tpcc
