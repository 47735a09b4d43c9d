// The five transactions on RocksDB, each with the buffers that it uses again
// and again. Used by one thread.
#pragma once

#include <rocksdb/iterator.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tpcc/keys.h"
#include "tpcc/kv/rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2).
class KvCustomerNames {
 public:
  explicit KvCustomerNames(const KvRows& rows);

  // Of the n customers with the wanted last name, ordered by first name, the
  // one at position n/2, rounded up; or simply the wanted number.
  rocksdb::Status Find(const CustomerChoice& choice, uint32_t* c_id);

 private:
  rocksdb::Status FindByName(const CustomerChoice& choice, uint32_t* c_id);

  // No transaction changes a name, so the latest state is every snapshot's.
  std::unique_ptr<rocksdb::Iterator> names_;
  std::string prefix_;
  std::vector<uint32_t> namesakes_;
};

// New-Order (clause 2.4) on RocksDB.
class KvNewOrder {
 public:
  explicit KvNewOrder(KvRows* rows) : rows_(*rows) {}

  // One attempt in the transaction of the rows' loop.
  rocksdb::Status Try(const NewOrderInput& input, NewOrderOutput* output);

 private:
  rocksdb::Status Enter(const NewOrderInput& input, NewOrderOutput* output);
  rocksdb::Status TakeNumber(const NewOrderInput& input,
                             NewOrderOutput* output);
  rocksdb::Status ReadUnchanging(const NewOrderInput& input,
                                 NewOrderOutput* output);
  rocksdb::Status ReadItems(const NewOrderInput& input,
                            const rocksdb::Snapshot* snapshot,
                            NewOrderOutput* output);
  void CollectStock(const NewOrderInput& input);
  rocksdb::Status LockStock();
  rocksdb::Status ReadStock();
  rocksdb::Status InsertOrder(const NewOrderInput& input,
                              const NewOrderOutput& output);
  rocksdb::Status InsertLines(const NewOrderInput& input,
                              NewOrderOutput* output);
  rocksdb::Status InsertLine(const NewOrderInput& input, uint8_t number,
                             const Stock& stock, const NewOrderOutput& output);
  rocksdb::Status WriteStock();
  [[nodiscard]] bool IsKnown(size_t line) const {
    return items_.status(line).ok();
  }
  Stock* StockOf(const NewOrderInput::Line& line);

  KvRows& rows_;
  Stored<District> district_;
  Stored<Warehouse> warehouse_;
  Stored<Customer> customer_;
  // By line.
  MultiGet<ItemKey> items_;
  std::array<Item, kMaxOrderLines> item_{};
  // The order's stock rows, each once and ascending; lines may share one.
  std::array<uint64_t, kMaxOrderLines> stock_ids_{};
  size_t stocks_ = 0;
  MultiGet<StockKey> stock_rows_;
  std::array<Stock, kMaxOrderLines> stock_{};
};

// Payment (clause 2.5) on RocksDB.
class KvPayment {
 public:
  KvPayment(KvRows* rows, KvCustomerNames* names)
      : rows_(*rows), names_(*names) {}

  // One attempt in the transaction of the rows' loop.
  rocksdb::Status Try(const PaymentInput& input, PaymentOutput* output);

 private:
  rocksdb::Status PayWarehouse(const PaymentInput& input);
  rocksdb::Status PayDistrict(const PaymentInput& input);
  rocksdb::Status PayCustomer(const PaymentInput& input, uint32_t c_id);
  void NoteBadCredit(const PaymentInput& input, uint32_t c_id);
  rocksdb::Status InsertHistory(const PaymentInput& input, uint32_t c_id,
                                Timestamp date);
  void Show(uint32_t c_id, Timestamp date, PaymentOutput* output) const;

  KvRows& rows_;
  KvCustomerNames& names_;
  Stored<Warehouse> warehouse_;
  Stored<District> district_;
  Stored<Customer> customer_;
  std::string customer_data_;
  std::string history_data_;
};

// Order-Status (clause 2.6) on RocksDB.
class KvOrderStatus {
 public:
  KvOrderStatus(KvRows* rows, KvCustomerNames* names)
      : rows_(*rows), names_(*names) {}

  // All of it as of `snapshot`, without locks.
  rocksdb::Status Read(const OrderStatusInput& input,
                       const rocksdb::Snapshot* snapshot,
                       OrderStatusOutput* output);

 private:
  rocksdb::Status FindNewest(const CustomerChoice& customer, uint32_t c_id,
                             const rocksdb::Snapshot* snapshot, uint32_t* o_id);
  rocksdb::Status ReadLines(const CustomerChoice& customer,
                            const rocksdb::Snapshot* snapshot,
                            OrderStatusOutput* output);

  KvRows& rows_;
  KvCustomerNames& names_;
  Stored<Customer> customer_;
  Stored<Order> order_;
};

// Delivery (clause 2.7) on RocksDB: all ten districts in one transaction.
class KvDelivery {
 public:
  explicit KvDelivery(KvRows* rows);

  // One attempt in the transaction of the rows' loop.
  rocksdb::Status Try(const DeliveryInput& input, DeliveryOutput* output);

 private:
  rocksdb::Status LockMarks(uint32_t w_id);
  // Of each district that `o_ids` has no order of yet.
  rocksdb::Status FindOldest(uint32_t w_id,
                             std::array<uint32_t, kDistricts>* o_ids);
  rocksdb::Status LockEmptyDistricts(
      uint32_t w_id, const std::array<uint32_t, kDistricts>& o_ids);
  rocksdb::Status Deliver(const DeliveryInput& input, uint8_t d_id,
                          uint32_t o_id);
  rocksdb::Status TakeFromQueue(uint32_t w_id, uint8_t d_id, uint32_t o_id);
  rocksdb::Status StampOrder(const DeliveryInput& input, uint8_t d_id,
                             uint32_t o_id);
  rocksdb::Status StampLines(uint32_t w_id, uint8_t d_id, uint32_t o_id,
                             Cents* amount);
  rocksdb::Status CreditCustomer(uint32_t w_id, uint8_t d_id, Cents amount);

  KvRows& rows_;
  std::unique_ptr<rocksdb::Iterator> new_orders_;
  std::unique_ptr<rocksdb::Iterator> lines_;
  rocksdb::PinnableSlice mark_;
  std::array<uint32_t, kDistricts> marks_{};
  Timestamp date_ = 0;
  Stored<Order> order_;
  Stored<Customer> customer_;
};

// Stock-Level (clause 2.8) on RocksDB.
class KvStockLevel {
 public:
  explicit KvStockLevel(KvRows* rows) : rows_(*rows) {}

  // All of it as of `snapshot`, without locks.
  rocksdb::Status Read(const StockLevelInput& input,
                       const rocksdb::Snapshot* snapshot,
                       StockLevelOutput* output);

 private:
  rocksdb::Status FindItems(const StockLevelInput& input,
                            const rocksdb::Snapshot* snapshot);
  rocksdb::Status CountLow(const StockLevelInput& input,
                           const rocksdb::Snapshot* snapshot,
                           StockLevelOutput* output);

  KvRows& rows_;
  Stored<District> district_;
  std::vector<uint32_t> items_;
  MultiGet<StockKey> stock_;
};

}  // namespace waltax::tpcc
