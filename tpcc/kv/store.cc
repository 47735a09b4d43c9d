#include "tpcc/kv/store.h"

#include "driver/rocksdb/status.h"
#include "driver/rocksdb/tables.h"
#include "tpcc/kv/delivery.h"
#include "tpcc/kv/new_order.h"
#include "tpcc/kv/transactions.h"

namespace waltax::tpcc {

Status KvStore::Scan(Table table, std::string_view prefix,
                     const table::Visit& visit) const {
  return ScanTable(tables_.db, tables_[table], prefix, visit);
}

// The five transactions as one thread's session with RocksDB.
class KvSession : public Session {
 public:
  KvSession(const KvTables& tables, const rocksdb::WriteOptions& write_options,
            int max_retries, uint64_t seed)
      : rows_(tables, write_options, max_retries, seed) {}

  Reply NewOrder(const NewOrderInput& input, NewOrderOutput* output) override {
    return Write("New-Order", [&] { return new_order_.Try(input, output); });
  }
  Reply Payment(const PaymentInput& input, PaymentOutput* output) override {
    return Write("Payment", [&] { return payment_.Try(input, output); });
  }
  Reply OrderStatus(const OrderStatusInput& input,
                    OrderStatusOutput* output) override {
    return Read("Order-Status", [&](const rocksdb::Snapshot* snapshot) {
      return order_status_.Read(input, snapshot, output);
    });
  }
  Reply Delivery(const DeliveryInput& input, DeliveryOutput* output) override {
    return Write("Delivery", [&] { return delivery_.Try(input, output); });
  }
  Reply StockLevel(const StockLevelInput& input,
                   StockLevelOutput* output) override {
    return Read("Stock-Level", [&](const rocksdb::Snapshot* snapshot) {
      return stock_level_.Read(input, snapshot, output);
    });
  }

 private:
  // Attempts it until it commits, or has to be given up.
  template <typename Attempt>
  Reply Write(const char* transaction, const Attempt& attempt) {
    Conflicts conflicts;
    const rocksdb::Status status = rows_.loop().Run(attempt, &conflicts);
    return Replied(transaction, status, conflicts);
  }
  // Calls `read(snapshot)` once: without locks there is no conflict.
  template <typename Reading>
  Reply Read(const char* transaction, const Reading& read) {
    rocksdb::ManagedSnapshot snapshot(rows_.tables().db);
    return Replied(transaction, read(snapshot.snapshot()), Conflicts());
  }
  Reply Replied(const char* transaction, const rocksdb::Status& status,
                const Conflicts& conflicts) {
    Reply reply;
    reply.conflicts = conflicts;
    if (status.ok()) return reply;
    return GivenUp(transaction, status.ToString(), IsFatal(status), reply);
  }

  KvRows rows_;
  KvCustomerNames names_{rows_};
  KvNewOrder new_order_{&rows_};
  KvPayment payment_{&rows_, &names_};
  KvOrderStatus order_status_{&rows_, &names_};
  KvDelivery delivery_{&rows_};
  KvStockLevel stock_level_{&rows_};
};

std::unique_ptr<Session> KvStore::NewSession(uint64_t seed) {
  return std::make_unique<KvSession>(tables_, write_options_, max_retries_,
                                     seed);
}

}  // namespace waltax::tpcc
