#include "tpcc/kv_session.h"

#include <fmt/format.h>

#include "driver/rocksdb_status.h"

namespace waltax::tpcc {

template <typename Attempt>
Reply KvSession::Write(const char* transaction, const Attempt& attempt) {
  Conflicts conflicts;
  const rocksdb::Status status = rows_.loop().Run(attempt, &conflicts);
  return Replied(transaction, status, conflicts);
}

template <typename Reading>
Reply KvSession::Read(const char* transaction, const Reading& read) {
  rocksdb::ManagedSnapshot snapshot(rows_.tables().db);
  return Replied(transaction, read(snapshot.snapshot()), Conflicts());
}

Reply KvSession::Replied(const char* transaction, const rocksdb::Status& status,
                         const Conflicts& conflicts) {
  Reply reply;
  reply.conflicts = conflicts;
  if (status.ok()) return reply;
  error_ = fmt::format("{} given up after {} conflicts: {}", transaction,
                       conflicts.total(), status.ToString());
  reply.error = &error_;
  reply.fatal = IsFatal(status);
  return reply;
}

Reply KvSession::NewOrder(const NewOrderInput& input, NewOrderOutput* output) {
  return Write("New-Order", [&] { return new_order_.Try(input, output); });
}

Reply KvSession::Payment(const PaymentInput& input, PaymentOutput* output) {
  return Write("Payment", [&] { return payment_.Try(input, output); });
}

Reply KvSession::OrderStatus(const OrderStatusInput& input,
                             OrderStatusOutput* output) {
  return Read("Order-Status", [&](const rocksdb::Snapshot* snapshot) {
    return order_status_.Read(input, snapshot, output);
  });
}

Reply KvSession::Delivery(const DeliveryInput& input, DeliveryOutput* output) {
  return Write("Delivery", [&] { return delivery_.Try(input, output); });
}

Reply KvSession::StockLevel(const StockLevelInput& input,
                            StockLevelOutput* output) {
  return Read("Stock-Level", [&](const rocksdb::Snapshot* snapshot) {
    return stock_level_.Read(input, snapshot, output);
  });
}

}  // namespace waltax::tpcc
