#include "tpcc/kv/store.h"

#include <fmt/format.h>
#include <rocksdb/iterator.h>

#include "driver/rocksdb/status.h"

namespace waltax::tpcc {

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(tables_, write_options_, max_retries_,
                                     seed);
}

Status KvStore::Scan(Table table, std::string_view prefix,
                     RowVisitor* visitor) const {
  rocksdb::ReadOptions options;
  options.fill_cache = false;  // the next slice shall find its cache warm
  const std::unique_ptr<rocksdb::Iterator> rows(
      tables_.db->NewIterator(options, tables_[table]));
  for (rows->Seek(prefix);
       rows->Valid() && rows->key().ToStringView().starts_with(prefix);
       rows->Next()) {
    visitor->Visit(rows->key().ToStringView(), rows->value().ToStringView());
  }
  if (rows->status().ok()) return Status::Ok();
  return Explained(rows->status(), "read a table", tables_.db->GetName());
}

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
