// Payment, Order-Status and Stock-Level on RocksDB.
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

// With the buffers that they use again and again. Used by one thread.
class KvTransactions {
 public:
  explicit KvTransactions(KvRows* rows)
      : rows_(*rows), names_(rows->NewIterator(Table::kCustomerByName)) {}

  // Clause 2.5: one attempt in the transaction of the rows' loop.
  rocksdb::Status TryPayment(const PaymentInput& input, PaymentOutput* output) {
    uint32_t c_id = 0;
    output->date = Now();
    TRY(FindCustomer(input.customer, &c_id));
    TRY(AddToYear(KeyOfWarehouse(input.w_id), input.amount, &warehouse_));
    TRY(AddToYear(KeyOfDistrict(input.w_id, input.d_id), input.amount,
                  &district_));
    TRY(PayCustomer(input, c_id));
    TRY(InsertHistory(input, c_id, output->date));
    ShowPaid(c_id, customer_.row, output);
    return rocksdb::Status::OK();
  }
  // Clause 2.6, all of it as of `snapshot`, without locks.
  rocksdb::Status ReadOrder(const OrderStatusInput& input,
                            const rocksdb::Snapshot* snapshot,
                            OrderStatusOutput* output) {
    const CustomerChoice& choice = input.customer;
    TRY(FindCustomer(choice, &output->c_id));
    const CustomerKey key =
        KeyOfCustomer(choice.w_id, choice.d_id, output->c_id);
    TRY(rows_.Get(key, snapshot, &customer_));
    TRY(FindNewest(key, snapshot, &output->o_id));
    const OrderKey order = KeyOfOrder(choice.w_id, choice.d_id, output->o_id);
    TRY(rows_.Get(order, snapshot, &order_));
    output->c_balance = customer_.row.balance;
    output->entry_d = order_.row.entry_d;
    output->carrier_id = order_.row.carrier_id;
    output->lines.clear();
    return ReadLines(snapshot, order,
                     KeyOfOrder(choice.w_id, choice.d_id, output->o_id + 1),
                     [output](const OrderLine& line) {
                       output->lines.push_back({.i_id = line.i_id,
                                                .supply_w_id = line.supply_w_id,
                                                .quantity = line.quantity,
                                                .amount = line.amount,
                                                .delivery_d = line.delivery_d});
                     });
  }
  // Clause 2.8, all of it as of `snapshot`, without locks.
  rocksdb::Status ReadStock(const StockLevelInput& input,
                            const rocksdb::Snapshot* snapshot,
                            StockLevelOutput* output) {
    TRY(FindItems(input, snapshot));
    const rocksdb::Status status = CountLow(input, snapshot, output);
    stocks_.Clear();  // else it would hold on to the engine's blocks
    return status;
  }

 private:
  // Which customer is meant (clauses 2.5.1.2, 2.5.2.2 and 2.6.2.2): the one in
  // the middle of those with the wanted last name; or simply the wanted number.
  rocksdb::Status FindCustomer(const CustomerChoice& choice, uint32_t* c_id) {
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
  // To W_YTD or D_YTD.
  template <typename Key, typename Row>
  rocksdb::Status AddToYear(const Key& key, Cents amount, Stored<Row>* stored) {
    TRY(rows_.LockAndGet(key, stored));
    stored->row.ytd += amount;
    return rows_.Put(key, stored->row);
  }
  rocksdb::Status PayCustomer(const PaymentInput& input, uint32_t c_id) {
    const CustomerKey key =
        KeyOfCustomer(input.customer.w_id, input.customer.d_id, c_id);
    TRY(rows_.LockAndGet(key, &customer_));
    Customer& customer = customer_.row;
    customer.balance -= input.amount;
    customer.ytd_payment += input.amount;
    ++customer.payment_cnt;
    if (customer.credit == kBadCredit) NoteBadCredit(input, c_id);
    return rows_.Put(key, customer);
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
    return rows_.Put(key, History{.w_id = input.w_id,
                                  .d_id = input.d_id,
                                  .date = date,
                                  .amount = input.amount,
                                  .data = history_data_});
  }

  // Calls `take(line)` with the lines of the orders of a district from `first`
  // up to `end`, as of `snapshot`.
  template <typename Take>
  rocksdb::Status ReadLines(const rocksdb::Snapshot* snapshot,
                            const OrderKey& first, const OrderKey& end,
                            const Take& take) {
    const auto lines = rows_.NewIterator(Table::kOrderLine, snapshot);
    for (lines->Seek(first); lines->Valid() && lines->key().compare(end) < 0;
         lines->Next()) {
      OrderLine line;
      TRY(KvRows::Decode(lines->value(), &line));
      take(line);
    }
    return lines->status();
  }

  // Clause 2.6.2.2: the row with the largest O_ID, which the index has first.
  // Every customer has one, because clause 4.3.3.1 gives each an order and none
  // is ever removed.
  rocksdb::Status FindNewest(const CustomerKey& customer,
                             const rocksdb::Snapshot* snapshot,
                             uint32_t* o_id) {
    const auto index = rows_.NewIterator(Table::kOrderByCustomer, snapshot);
    index->Seek(customer);
    TRY(index->status());
    if (!index->Valid() || !index->key().starts_with(customer)) {
      return KvTables::Missing(Table::kOrderByCustomer);
    }
    *o_id = NewestOrderOf(index->key());
    return rocksdb::Status::OK();
  }

  // Clause 2.8, all of it as of `snapshot`, without locks: the distinct items
  // of the district's last orders, ascending.
  rocksdb::Status FindItems(const StockLevelInput& input,
                            const rocksdb::Snapshot* snapshot) {
    TRY(rows_.Get(KeyOfDistrict(input.w_id, input.d_id), snapshot, &district_));
    const uint32_t next = district_.row.next_o_id;
    const uint32_t first = next > kExaminedOrders ? next - kExaminedOrders : 0;
    items_.clear();
    TRY(ReadLines(
        snapshot, KeyOfOrder(input.w_id, input.d_id, first),
        KeyOfOrder(input.w_id, input.d_id, next),
        [this](const OrderLine& line) { items_.push_back(line.i_id); }));
    std::sort(items_.begin(), items_.end());
    items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
    return rocksdb::Status::OK();
  }
  rocksdb::Status CountLow(const StockLevelInput& input,
                           const rocksdb::Snapshot* snapshot,
                           StockLevelOutput* output) {
    for (const uint32_t i_id : items_)
      stocks_.Add(KeyOfStock(input.w_id, i_id));
    rows_.GetMany<Stock>(snapshot, /*sorted=*/true, &stocks_);
    output->low_stock = 0;
    for (size_t i = 0; i < stocks_.size(); ++i) {
      Stock stock;
      TRY(rows_.Take(stocks_, i, &stock));
      if (stock.quantity < input.threshold) ++output->low_stock;
    }
    return rocksdb::Status::OK();
  }

  KvRows& rows_;
  // No transaction changes a name, so the latest state is every snapshot's.
  std::unique_ptr<rocksdb::Iterator> names_;
  std::string prefix_;
  std::vector<uint32_t> namesakes_;
  Stored<Warehouse> warehouse_;
  Stored<District> district_;
  Stored<Customer> customer_;
  Stored<Order> order_;
  std::string customer_data_;
  std::string history_data_;
  std::vector<uint32_t> items_;
  MultiGet<StockKey> stocks_;
};

}  // namespace waltax::tpcc
