// The five transactions as one thread's session with RocksDB.
#pragma once

#include <string>

#include "tpcc/kv_customer_names.h"
#include "tpcc/kv_delivery.h"
#include "tpcc/kv_new_order.h"
#include "tpcc/kv_order_status.h"
#include "tpcc/kv_payment.h"
#include "tpcc/kv_rows.h"
#include "tpcc/kv_stock_level.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class KvSession : public Session {
 public:
  KvSession(const KvTables& tables, const rocksdb::WriteOptions& write_options,
            int max_retries, uint64_t seed)
      : rows_(tables, write_options, max_retries, seed) {}

  Reply NewOrder(const NewOrderInput& input, NewOrderOutput* output) override;
  Reply Payment(const PaymentInput& input, PaymentOutput* output) override;
  Reply OrderStatus(const OrderStatusInput& input,
                    OrderStatusOutput* output) override;
  Reply Delivery(const DeliveryInput& input, DeliveryOutput* output) override;
  Reply StockLevel(const StockLevelInput& input,
                   StockLevelOutput* output) override;

 private:
  // Attempts it until it commits, or has to be given up.
  template <typename Attempt>
  Reply Write(const char* transaction, const Attempt& attempt);
  // Calls `read(snapshot)` once: without locks there is no conflict.
  template <typename Reading>
  Reply Read(const char* transaction, const Reading& read);
  Reply Replied(const char* transaction, const rocksdb::Status& status,
                const Conflicts& conflicts);

  KvRows rows_;
  KvCustomerNames names_{rows_};
  KvNewOrder new_order_{&rows_};
  KvPayment payment_{&rows_, &names_};
  KvOrderStatus order_status_{&rows_, &names_};
  KvDelivery delivery_{&rows_};
  KvStockLevel stock_level_{&rows_};
  std::string error_;
};

}  // namespace waltax::tpcc
