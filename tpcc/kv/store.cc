// The store on RocksDB with pessimistic transactions (layout: keys.h).
//
// New-Order, Payment and Delivery lock every row that they write, or one that
// covers it, until they commit. All of them take their locks in one order, so
// that none can deadlock with another:
//
//   warehouse < the mark in new_order < district < customer < stock
//
// and by key within a table. What is never written (W_TAX, C_DISCOUNT, items,
// names) they read without locks. Order-Status and Stock-Level read one
// snapshot each and lock nothing (DEVIATION T11). Together that is
// serializable: a snapshot holds whole transactions only, and those that write
// the same rows follow one another.

#include "tpcc/store.h"

#include <rocksdb/options.h>

#include "driver/rocksdb/tables.h"
#include "tpcc/kv/delivery.h"
#include "tpcc/kv/new_order.h"
#include "tpcc/kv/transactions.h"

namespace waltax::tpcc {

namespace {

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
    return Write("Payment", [&] { return others_.TryPayment(input, output); });
  }
  Reply OrderStatus(const OrderStatusInput& input,
                    OrderStatusOutput* output) override {
    return Read("Order-Status", [&](const rocksdb::Snapshot* snapshot) {
      return others_.ReadOrder(input, snapshot, output);
    });
  }
  Reply Delivery(const DeliveryInput& input, DeliveryOutput* output) override {
    return Write("Delivery", [&] { return delivery_.Try(input, output); });
  }
  Reply StockLevel(const StockLevelInput& input,
                   StockLevelOutput* output) override {
    return Read("Stock-Level", [&](const rocksdb::Snapshot* snapshot) {
      return others_.ReadStock(input, snapshot, output);
    });
  }

 private:
  // Attempts it until it commits, or has to be given up.
  template <typename Attempt>
  Reply Write(const char* transaction, const Attempt& attempt) {
    Reply reply;
    const rocksdb::Status status = rows_.loop().Run(attempt, &reply.retries);
    if (status.ok()) return reply;
    return GivenUp(transaction, status.ToString(), reply);
  }
  // Calls `read(snapshot)` once: without locks there is no conflict.
  template <typename Reading>
  Reply Read(const char* transaction, const Reading& read) {
    rocksdb::ManagedSnapshot snapshot(rows_.tables().db);
    const rocksdb::Status status = read(snapshot.snapshot());
    if (status.ok()) return {};
    return GivenUp(transaction, status.ToString(), {});
  }

  KvRows rows_;
  KvNewOrder new_order_{&rows_};
  KvDelivery delivery_{&rows_};
  KvTransactions others_{&rows_};
};

class KvStore : public Store {
 public:
  KvStore(RocksdbEngine& engine, int max_retries)
      : tables_(engine),
        write_options_(engine.write_options()),
        max_retries_(max_retries) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    return std::make_unique<KvSession>(tables_, write_options_, max_retries_,
                                       seed);
  }
  Status Scan(Table table, std::string_view prefix,
              const table::Visit& visit) const override {
    return ScanTable(tables_.db, tables_[table], prefix, visit);
  }
  [[nodiscard]] std::string_view isolation() const override {
    return "serializable";
  }

 private:
  KvTables tables_;
  rocksdb::WriteOptions write_options_;
  int max_retries_;
};

}  // namespace

std::unique_ptr<Store> NewKvStore(RocksdbEngine& engine, int max_retries) {
  return std::make_unique<KvStore>(engine, max_retries);
}

}  // namespace waltax::tpcc
