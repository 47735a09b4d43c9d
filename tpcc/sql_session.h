// The five transactions as one thread's session with a server.
#pragma once

#include <memory>
#include <string>

#include "mariadb/connection.h"
#include "mariadb/transaction.h"
#include "tpcc/sql_customer_names.h"
#include "tpcc/sql_delivery.h"
#include "tpcc/sql_new_order.h"
#include "tpcc/sql_order_status.h"
#include "tpcc/sql_payment.h"
#include "tpcc/sql_stock_level.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class SqlSession : public Session {
 public:
  // Connects, and prepares all statements.
  static Status Open(const mariadb::ServerFlags& flags, int max_retries,
                     uint64_t seed, std::unique_ptr<Session>* session);

  Reply NewOrder(const NewOrderInput& input, NewOrderOutput* output) override;
  Reply Payment(const PaymentInput& input, PaymentOutput* output) override;
  Reply OrderStatus(const OrderStatusInput& input,
                    OrderStatusOutput* output) override;
  Reply Delivery(const DeliveryInput& input, DeliveryOutput* output) override;
  Reply StockLevel(const StockLevelInput& input,
                   StockLevelOutput* output) override;

 private:
  SqlSession(std::unique_ptr<mariadb::Connection> connection, int max_retries,
             uint64_t seed);
  Status Prepare();
  // Attempts it until it commits, or has to be given up.
  template <typename Attempt>
  Reply Run(const char* transaction, const Attempt& attempt);

  std::unique_ptr<mariadb::Connection> connection_;
  mariadb::Transaction transaction_;
  SqlCustomerNames names_;
  SqlNewOrder new_order_{&transaction_};
  SqlPayment payment_{&names_};
  SqlOrderStatus order_status_{&names_};
  SqlDelivery delivery_;
  SqlStockLevel stock_level_;
  std::string error_;
};

// What a session is when it could not be opened: every transaction ends with
// the reason, for good.
class BrokenSession : public Session {
 public:
  explicit BrokenSession(std::string reason) : reason_(std::move(reason)) {}
  Reply NewOrder(const NewOrderInput& /*input*/,
                 NewOrderOutput* /*output*/) override {
    return Refused();
  }
  Reply Payment(const PaymentInput& /*input*/,
                PaymentOutput* /*output*/) override {
    return Refused();
  }
  Reply OrderStatus(const OrderStatusInput& /*input*/,
                    OrderStatusOutput* /*output*/) override {
    return Refused();
  }
  Reply Delivery(const DeliveryInput& /*input*/,
                 DeliveryOutput* /*output*/) override {
    return Refused();
  }
  Reply StockLevel(const StockLevelInput& /*input*/,
                   StockLevelOutput* /*output*/) override {
    return Refused();
  }

 private:
  [[nodiscard]] Reply Refused() const {
    return {.conflicts = {}, .fatal = true, .error = &reason_};
  }
  std::string reason_;
};

}  // namespace waltax::tpcc
