// Payment, Order-Status and Stock-Level on RocksDB, each with the buffers that
// it uses again and again, and which customer is meant. Used by one thread.
#pragma once

#include <rocksdb/iterator.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tpcc/keys.h"
#include "tpcc/kv/rows.h"
#include "tpcc/order_rules.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2).
class KvCustomerNames {
 public:
  explicit KvCustomerNames(const KvRows& rows)
      : names_(rows.NewIterator(Table::kCustomerByName)) {}

  // Of the n customers with the wanted last name, ordered by first name, the
  // one at position n/2, rounded up; or simply the wanted number.
  rocksdb::Status Find(const CustomerChoice& choice, uint32_t* c_id) {
    *c_id = choice.c_id;
    return choice.c_id != 0 ? rocksdb::Status::OK() : FindByName(choice, c_id);
  }

 private:
  rocksdb::Status FindByName(const CustomerChoice& choice, uint32_t* c_id) {
    prefix_.clear();
    AppendLastNamePrefix(choice.w_id, choice.d_id, choice.last, &prefix_);
    namesakes_.clear();
    rocksdb::Status status = names_->Refresh();
    if (!status.ok()) return status;
    for (names_->Seek(prefix_);
         names_->Valid() && names_->key().starts_with(prefix_);
         names_->Next()) {
      namesakes_.push_back(CustomerOfName(names_->key()));
    }
    status = names_->status();
    if (!status.ok()) return status;
    if (namesakes_.empty()) return KvTables::Missing(Table::kCustomerByName);
    *c_id = namesakes_[(namesakes_.size() + 1) / 2 - 1];
    return status;
  }

  // No transaction changes a name, so the latest state is every snapshot's.
  std::unique_ptr<rocksdb::Iterator> names_;
  std::string prefix_;
  std::vector<uint32_t> namesakes_;
};

// Payment (clause 2.5) on RocksDB.
class KvPayment {
 public:
  KvPayment(KvRows* rows, KvCustomerNames* names)
      : rows_(*rows), names_(*names) {}

  // One attempt in the transaction of the rows' loop.
  rocksdb::Status Try(const PaymentInput& input, PaymentOutput* output) {
    uint32_t c_id = 0;
    const Timestamp date = Now();
    rocksdb::Status status = names_.Find(input.customer, &c_id);
    if (status.ok()) status = PayWarehouse(input);
    if (status.ok()) status = PayDistrict(input);
    if (status.ok()) status = PayCustomer(input, c_id);
    if (status.ok()) status = InsertHistory(input, c_id, date);
    if (status.ok()) Show(c_id, date, output);
    return status;
  }

 private:
  rocksdb::Status PayWarehouse(const PaymentInput& input) {
    const WarehouseKey key = KeyOfWarehouse(input.w_id);
    const rocksdb::Status status =
        rows_.LockAndGet(Table::kWarehouse, key.slice(), &warehouse_);
    if (!status.ok()) return status;
    warehouse_.row.ytd += input.amount;
    return rows_.Put(Table::kWarehouse, key.slice(), warehouse_.row);
  }
  rocksdb::Status PayDistrict(const PaymentInput& input) {
    const DistrictKey key = KeyOfDistrict(input.w_id, input.d_id);
    const rocksdb::Status status =
        rows_.LockAndGet(Table::kDistrict, key.slice(), &district_);
    if (!status.ok()) return status;
    district_.row.ytd += input.amount;
    return rows_.Put(Table::kDistrict, key.slice(), district_.row);
  }
  rocksdb::Status PayCustomer(const PaymentInput& input, uint32_t c_id) {
    const CustomerKey key =
        KeyOfCustomer(input.customer.w_id, input.customer.d_id, c_id);
    const rocksdb::Status status =
        rows_.LockAndGet(Table::kCustomer, key.slice(), &customer_);
    if (!status.ok()) return status;
    Customer& customer = customer_.row;
    customer.balance -= input.amount;
    customer.ytd_payment += input.amount;
    ++customer.payment_cnt;
    if (customer.credit == kBadCredit) NoteBadCredit(input, c_id);
    return rows_.Put(Table::kCustomer, key.slice(), customer);
  }
  // Clause 2.5.2.2: the payment goes to the left of C_DATA, and what no longer
  // fits falls off on its right.
  void NoteBadCredit(const PaymentInput& input, uint32_t c_id) {
    WriteCreditNote(input, c_id, &customer_data_);
    customer_data_.append(customer_.row.data);
    customer_data_.resize(std::min(customer_data_.size(), kMostCustomerData));
    customer_.row.data = customer_data_;
  }
  // Under the customer's lock nobody else can have this payment's number.
  rocksdb::Status InsertHistory(const PaymentInput& input, uint32_t c_id,
                                Timestamp date) {
    history_data_ = warehouse_.row.name;
    history_data_.append(4, ' ');
    history_data_.append(district_.row.name);
    const HistoryKey key =
        KeyOfHistory(input.customer.w_id, input.customer.d_id, c_id,
                     customer_.row.payment_cnt);
    return rows_.Put(Table::kHistory, key.slice(),
                     History{.w_id = input.w_id,
                             .d_id = input.d_id,
                             .date = date,
                             .amount = input.amount,
                             .data = history_data_});
  }
  void Show(uint32_t c_id, Timestamp date, PaymentOutput* output) const {
    const Customer& customer = customer_.row;
    output->c_id = c_id;
    output->c_balance = customer.balance;
    output->c_credit_lim = customer.credit_lim;
    output->c_discount = customer.discount;
    output->c_credit = customer.credit;
    output->c_data.clear();
    if (customer.credit == kBadCredit) {
      output->c_data = customer.data.substr(0, kShownCustomerData);
    }
    output->date = date;
  }

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
                       OrderStatusOutput* output) {
    const CustomerChoice& choice = input.customer;
    uint32_t c_id = 0;
    uint32_t o_id = 0;
    rocksdb::Status status = names_.Find(choice, &c_id);
    if (!status.ok()) return status;
    status = rows_.Get(Table::kCustomer,
                       KeyOfCustomer(choice.w_id, choice.d_id, c_id).slice(),
                       snapshot, &customer_);
    if (status.ok()) status = FindNewest(choice, c_id, snapshot, &o_id);
    if (!status.ok()) return status;
    status = rows_.Get(Table::kOrder,
                       KeyOfOrder(choice.w_id, choice.d_id, o_id).slice(),
                       snapshot, &order_);
    if (!status.ok()) return status;
    output->c_id = c_id;
    output->c_balance = customer_.row.balance;
    output->o_id = o_id;
    output->entry_d = order_.row.entry_d;
    output->carrier_id = order_.row.carrier_id;
    return ReadLines(choice, snapshot, output);
  }

 private:
  // Clause 2.6.2.2: the row with the largest O_ID, which the index has first.
  // Every customer has one, because clause 4.3.3.1 gives each an order and none
  // is ever removed.
  rocksdb::Status FindNewest(const CustomerChoice& customer, uint32_t c_id,
                             const rocksdb::Snapshot* snapshot,
                             uint32_t* o_id) {
    constexpr uint32_t kLargest = std::numeric_limits<uint32_t>::max();
    const auto index = rows_.NewIterator(Table::kOrderByCustomer, snapshot);
    index->Seek(
        KeyOfOrderByCustomer(customer.w_id, customer.d_id, c_id, kLargest)
            .slice());
    if (!index->status().ok()) return index->status();
    const CustomerKey prefix =
        KeyOfCustomer(customer.w_id, customer.d_id, c_id);
    if (!index->Valid() || !index->key().starts_with(prefix.slice())) {
      return KvTables::Missing(Table::kOrderByCustomer);
    }
    *o_id = NewestOrderOf(index->key());
    return rocksdb::Status::OK();
  }
  rocksdb::Status ReadLines(const CustomerChoice& customer,
                            const rocksdb::Snapshot* snapshot,
                            OrderStatusOutput* output) {
    output->lines.clear();
    const OrderKey order =
        KeyOfOrder(customer.w_id, customer.d_id, output->o_id);
    const auto lines = rows_.NewIterator(Table::kOrderLine, snapshot);
    for (lines->Seek(order.slice());
         lines->Valid() && lines->key().starts_with(order.slice());
         lines->Next()) {
      OrderLine line;
      const rocksdb::Status status =
          KvRows::Decode(Table::kOrderLine, lines->value(), &line);
      if (!status.ok()) return status;
      output->lines.push_back({.i_id = line.i_id,
                               .supply_w_id = line.supply_w_id,
                               .quantity = line.quantity,
                               .amount = line.amount,
                               .delivery_d = line.delivery_d});
    }
    return lines->status();
  }

  KvRows& rows_;
  KvCustomerNames& names_;
  Stored<Customer> customer_;
  Stored<Order> order_;
};

// Stock-Level (clause 2.8) on RocksDB.
class KvStockLevel {
 public:
  explicit KvStockLevel(KvRows* rows) : rows_(*rows) {}

  // All of it as of `snapshot`, without locks.
  rocksdb::Status Read(const StockLevelInput& input,
                       const rocksdb::Snapshot* snapshot,
                       StockLevelOutput* output) {
    rocksdb::Status status = rows_.Get(
        Table::kDistrict, KeyOfDistrict(input.w_id, input.d_id).slice(),
        snapshot, &district_);
    if (status.ok()) status = FindItems(input, snapshot);
    if (status.ok()) status = CountLow(input, snapshot, output);
    stock_.Clear();  // else it would hold on to the engine's blocks
    return status;
  }

 private:
  // The distinct items of the district's last orders, ascending.
  rocksdb::Status FindItems(const StockLevelInput& input,
                            const rocksdb::Snapshot* snapshot) {
    const uint32_t next = district_.row.next_o_id;
    const uint32_t first = next > kExaminedOrders ? next - kExaminedOrders : 0;
    const OrderKey end = KeyOfOrder(input.w_id, input.d_id, next);
    const auto lines = rows_.NewIterator(Table::kOrderLine, snapshot);
    items_.clear();
    for (lines->Seek(KeyOfOrder(input.w_id, input.d_id, first).slice());
         lines->Valid() && lines->key().compare(end.slice()) < 0;
         lines->Next()) {
      OrderLine line;
      const rocksdb::Status status =
          KvRows::Decode(Table::kOrderLine, lines->value(), &line);
      if (!status.ok()) return status;
      items_.push_back(line.i_id);
    }
    std::sort(items_.begin(), items_.end());
    items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
    return lines->status();
  }
  rocksdb::Status CountLow(const StockLevelInput& input,
                           const rocksdb::Snapshot* snapshot,
                           StockLevelOutput* output) {
    for (const uint32_t i_id : items_) stock_.Add(KeyOfStock(input.w_id, i_id));
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    stock_.Run(rows_.tables().db, options, rows_.tables()[Table::kStock], true);
    output->low_stock = 0;
    for (size_t i = 0; i < stock_.size(); ++i) {
      rocksdb::Status status = stock_.status(i);
      if (status.IsNotFound()) status = KvTables::Missing(Table::kStock);
      Stock stock;
      if (status.ok()) {
        status = KvRows::Decode(Table::kStock, stock_.value(i), &stock);
      }
      if (!status.ok()) return status;
      if (stock.quantity < input.threshold) ++output->low_stock;
    }
    return rocksdb::Status::OK();
  }

  KvRows& rows_;
  Stored<District> district_;
  std::vector<uint32_t> items_;
  MultiGet<StockKey> stock_;
};

}  // namespace waltax::tpcc
