// Payment, Order-Status and Stock-Level on RocksDB, each with the buffers that
// it uses again and again, and which customer is meant. Used by one thread.
#pragma once

#include <rocksdb/iterator.h>

#include <algorithm>
#include <cstdint>
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

  // The one in the middle of those with the wanted last name; or simply the
  // wanted number.
  rocksdb::Status Find(const CustomerChoice& choice, uint32_t* c_id) {
    *c_id = choice.c_id;
    if (choice.c_id != 0) return rocksdb::Status::OK();
    prefix_.clear();
    AppendLastNamePrefix(choice.w_id, choice.d_id, choice.last, &prefix_);
    namesakes_.clear();
    TRY(names_->Refresh());
    for (names_->Seek(prefix_);
         names_->Valid() && names_->key().starts_with(prefix_);
         names_->Next()) {
      namesakes_.push_back(CustomerOfName(names_->key()));
    }
    TRY(names_->status());
    if (namesakes_.empty()) return KvTables::Missing(Table::kCustomerByName);
    *c_id = MiddleOf(namesakes_);
    return rocksdb::Status::OK();
  }

 private:
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
    output->date = Now();
    TRY(names_.Find(input.customer, &c_id));
    TRY(Add(Table::kWarehouse, KeyOfWarehouse(input.w_id), input.amount,
            &warehouse_));
    TRY(Add(Table::kDistrict, KeyOfDistrict(input.w_id, input.d_id),
            input.amount, &district_));
    TRY(PayCustomer(input, c_id));
    TRY(InsertHistory(input, c_id, output->date));
    ShowPaid(c_id, customer_.row, output);
    return rocksdb::Status::OK();
  }

 private:
  // To W_YTD or D_YTD.
  template <typename Key, typename Row>
  rocksdb::Status Add(Table table, const Key& key, Cents amount,
                      Stored<Row>* stored) {
    TRY(rows_.LockAndGet(table, key.slice(), stored));
    stored->row.ytd += amount;
    return rows_.Put(table, key.slice(), stored->row);
  }
  rocksdb::Status PayCustomer(const PaymentInput& input, uint32_t c_id) {
    const CustomerKey key =
        KeyOfCustomer(input.customer.w_id, input.customer.d_id, c_id);
    TRY(rows_.LockAndGet(Table::kCustomer, key.slice(), &customer_));
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
    WriteHistoryData(warehouse_.row.name, district_.row.name, &history_data_);
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

  KvRows& rows_;
  KvCustomerNames& names_;
  Stored<Warehouse> warehouse_;
  Stored<District> district_;
  Stored<Customer> customer_;
  std::string customer_data_;
  std::string history_data_;
};

// Calls `take(line)` with the lines of the orders of a district from `first`
// up to `end`, as of `snapshot`.
template <typename Take>
rocksdb::Status ReadLines(const KvRows& rows, const rocksdb::Snapshot* snapshot,
                          const OrderKey& first, const OrderKey& end,
                          const Take& take) {
  const auto lines = rows.NewIterator(Table::kOrderLine, snapshot);
  for (lines->Seek(first.slice());
       lines->Valid() && lines->key().compare(end.slice()) < 0; lines->Next()) {
    OrderLine line;
    TRY(KvRows::Decode(Table::kOrderLine, lines->value(), &line));
    take(line);
  }
  return lines->status();
}

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
    TRY(names_.Find(choice, &output->c_id));
    const CustomerKey key =
        KeyOfCustomer(choice.w_id, choice.d_id, output->c_id);
    TRY(rows_.Get(Table::kCustomer, key.slice(), snapshot, &customer_));
    TRY(FindNewest(key, snapshot, &output->o_id));
    const OrderKey order = KeyOfOrder(choice.w_id, choice.d_id, output->o_id);
    TRY(rows_.Get(Table::kOrder, order.slice(), snapshot, &order_));
    output->c_balance = customer_.row.balance;
    output->entry_d = order_.row.entry_d;
    output->carrier_id = order_.row.carrier_id;
    output->lines.clear();
    return ReadLines(rows_, snapshot, order,
                     KeyOfOrder(choice.w_id, choice.d_id, output->o_id + 1),
                     [output](const OrderLine& line) {
                       output->lines.push_back({.i_id = line.i_id,
                                                .supply_w_id = line.supply_w_id,
                                                .quantity = line.quantity,
                                                .amount = line.amount,
                                                .delivery_d = line.delivery_d});
                     });
  }

 private:
  // Clause 2.6.2.2: the row with the largest O_ID, which the index has first.
  // Every customer has one, because clause 4.3.3.1 gives each an order and none
  // is ever removed.
  rocksdb::Status FindNewest(const CustomerKey& customer,
                             const rocksdb::Snapshot* snapshot,
                             uint32_t* o_id) {
    const auto index = rows_.NewIterator(Table::kOrderByCustomer, snapshot);
    index->Seek(customer.slice());
    TRY(index->status());
    if (!index->Valid() || !index->key().starts_with(customer.slice())) {
      return KvTables::Missing(Table::kOrderByCustomer);
    }
    *o_id = NewestOrderOf(index->key());
    return rocksdb::Status::OK();
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
    TRY(rows_.Get(Table::kDistrict,
                  KeyOfDistrict(input.w_id, input.d_id).slice(), snapshot,
                  &district_));
    TRY(FindItems(input, snapshot));
    const rocksdb::Status status = CountLow(input, snapshot, output);
    stock_.Clear();  // else it would hold on to the engine's blocks
    return status;
  }

 private:
  // The distinct items of the district's last orders, ascending.
  rocksdb::Status FindItems(const StockLevelInput& input,
                            const rocksdb::Snapshot* snapshot) {
    const uint32_t next = district_.row.next_o_id;
    const uint32_t first = next > kExaminedOrders ? next - kExaminedOrders : 0;
    items_.clear();
    TRY(ReadLines(
        rows_, snapshot, KeyOfOrder(input.w_id, input.d_id, first),
        KeyOfOrder(input.w_id, input.d_id, next),
        [this](const OrderLine& line) { items_.push_back(line.i_id); }));
    std::sort(items_.begin(), items_.end());
    items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
    return rocksdb::Status::OK();
  }
  rocksdb::Status CountLow(const StockLevelInput& input,
                           const rocksdb::Snapshot* snapshot,
                           StockLevelOutput* output) {
    for (const uint32_t i_id : items_) stock_.Add(KeyOfStock(input.w_id, i_id));
    rows_.GetMany(Table::kStock, snapshot, /*sorted=*/true, &stock_);
    output->low_stock = 0;
    for (size_t i = 0; i < stock_.size(); ++i) {
      Stock stock;
      TRY(rows_.Take(Table::kStock, stock_, i, &stock));
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
