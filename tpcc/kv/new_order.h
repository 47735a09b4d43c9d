// New-Order on RocksDB.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tpcc/keys.h"
#include "tpcc/kv/rows.h"
#include "tpcc/order_rules.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// Clause 2.4, with the buffers that it uses again and again. Used by one
// thread.
class KvNewOrder {
 public:
  explicit KvNewOrder(KvRows* rows) : rows_(*rows) {}

  // One attempt in the transaction of the rows' loop.
  rocksdb::Status Try(const NewOrderInput& input, NewOrderOutput* output) {
    const rocksdb::Status status = Enter(input, output);
    // What was read would hold on to the engine's blocks until the next order.
    items_.Clear();
    stock_rows_.Clear();
    return status;
  }

 private:
  static void TakeFromStock(uint8_t quantity, bool remote, Stock* stock) {
    stock->quantity = QuantityAfter(stock->quantity, quantity);
    stock->ytd += quantity;
    ++stock->order_cnt;
    if (remote) ++stock->remote_cnt;
  }
  rocksdb::Status Enter(const NewOrderInput& input, NewOrderOutput* output) {
    output->rolled_back = false;
    output->total_amount = 0;
    output->entry_d = Now();
    rocksdb::Status status = TakeNumber(input, output);
    if (status.ok()) status = ReadUnchanging(input, output);
    if (status.ok()) CollectStock(input);
    if (status.ok()) status = LockStock();
    if (status.ok()) status = ReadStock();
    if (status.ok()) status = InsertOrder(input, *output);
    if (status.ok()) status = InsertLines(input, output);
    if (status.ok()) status = WriteStock();
    // Clause 2.4.2.3: only after everything was done for the items that exist.
    if (status.ok() && output->rolled_back) {
      return rows_.loop().transaction().Rollback();
    }
    return status;
  }
  // The district's lock orders the New-Orders of a district, and covers the
  // rows that only they insert: order, new_order, its lines, and its index row.
  rocksdb::Status TakeNumber(const NewOrderInput& input,
                             NewOrderOutput* output) {
    const DistrictKey key = KeyOfDistrict(input.w_id, input.d_id);
    const rocksdb::Status status =
        rows_.LockAndGet(Table::kDistrict, key.slice(), &district_);
    if (!status.ok()) return status;
    output->d_tax = district_.row.tax;
    output->o_id = district_.row.next_o_id++;
    return rows_.Put(Table::kDistrict, key.slice(), district_.row);
  }
  // Columns that no transaction of TPC-C writes need no lock, and for TPC-C
  // alone no snapshot. But clause 3.4.2.7 has prices changed by another
  // session: all reads of an order must then be of one state. That state is of
  // after the wait for the district's lock, since earlier orders of the
  // district may have seen what was changed meanwhile.
  rocksdb::Status ReadUnchanging(const NewOrderInput& input,
                                 NewOrderOutput* output) {
    rocksdb::ManagedSnapshot snapshot(rows_.tables().db);
    rocksdb::Status status =
        rows_.Get(Table::kWarehouse, KeyOfWarehouse(input.w_id).slice(),
                  snapshot.snapshot(), &warehouse_);
    if (!status.ok()) return status;
    status =
        rows_.Get(Table::kCustomer,
                  KeyOfCustomer(input.w_id, input.d_id, input.c_id).slice(),
                  snapshot.snapshot(), &customer_);
    if (!status.ok()) return status;
    output->w_tax = warehouse_.row.tax;
    output->c_discount = customer_.row.discount;
    output->c_last = customer_.row.last;
    output->c_credit = customer_.row.credit;
    return ReadItems(input, snapshot.snapshot(), output);
  }
  rocksdb::Status ReadItems(const NewOrderInput& input,
                            const rocksdb::Snapshot* snapshot,
                            NewOrderOutput* output) {
    items_.Clear();
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      items_.Add(KeyOfItem(input.lines[i].i_id));
    }
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    items_.Run(rows_.tables().db, options, rows_.tables()[Table::kItem], false);
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      rocksdb::Status status = items_.status(i);
      if (status.ok()) {
        status = KvRows::Decode(Table::kItem, items_.value(i), &item_[i]);
      } else if (status.IsNotFound()) {
        output->rolled_back = true;  // clause 2.4.1.5: an unused item
        status = rocksdb::Status::OK();
      }
      if (!status.ok()) return status;
    }
    return rocksdb::Status::OK();
  }
  void CollectStock(const NewOrderInput& input) {
    stocks_ = 0;
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      if (IsKnown(i)) stock_ids_[stocks_++] = StockId(input.lines[i]);
    }
    const auto begin = stock_ids_.begin();
    std::sort(begin, begin + stocks_);
    stocks_ = std::unique(begin, begin + stocks_) - begin;
  }
  // In the order of their keys, so that two orders never wait for each other.
  rocksdb::Status LockStock() {
    stock_rows_.Clear();
    for (size_t i = 0; i < stocks_; ++i) {
      const StockKey key =
          KeyOfStock(static_cast<uint32_t>(stock_ids_[i] >> 32),
                     static_cast<uint32_t>(stock_ids_[i]));
      const rocksdb::Status status = rows_.Lock(Table::kStock, key.slice());
      if (!status.ok()) return status;
      stock_rows_.Add(key);
    }
    return rocksdb::Status::OK();
  }
  rocksdb::Status ReadStock() {
    stock_rows_.Run(rows_.tables().db, rocksdb::ReadOptions(),
                    rows_.tables()[Table::kStock], true);
    for (size_t i = 0; i < stocks_; ++i) {
      rocksdb::Status status = stock_rows_.status(i);
      if (status.IsNotFound()) status = KvTables::Missing(Table::kStock);
      if (status.ok()) {
        status =
            KvRows::Decode(Table::kStock, stock_rows_.value(i), &stock_[i]);
      }
      if (!status.ok()) return status;
    }
    return rocksdb::Status::OK();
  }
  rocksdb::Status InsertOrder(const NewOrderInput& input,
                              const NewOrderOutput& output) {
    const OrderKey key = KeyOfOrder(input.w_id, input.d_id, output.o_id);
    const Order order{.c_id = input.c_id,
                      .entry_d = output.entry_d,
                      .carrier_id = 0,
                      .ol_cnt = input.ol_cnt,
                      .all_local = IsLocal(input) ? uint8_t{1} : uint8_t{0}};
    rocksdb::Status status = rows_.Put(Table::kOrder, key.slice(), order);
    if (!status.ok()) return status;
    const OrderByCustomerKey index_key =
        KeyOfOrderByCustomer(input.w_id, input.d_id, input.c_id, output.o_id);
    status = rows_.PutBytes(Table::kOrderByCustomer, index_key.slice(), "");
    if (!status.ok()) return status;
    const OrderKey new_key = KeyOfNewOrder(input.w_id, input.d_id, output.o_id);
    return rows_.PutBytes(Table::kNewOrder, new_key.slice(), "");
  }
  // Clause 2.4.2.2, for each item. A second line of the same item meets what
  // the first one left in stock.
  rocksdb::Status InsertLines(const NewOrderInput& input,
                              NewOrderOutput* output) {
    Cents sum = 0;
    for (uint8_t i = 0; i < input.ol_cnt; ++i) {
      if (!IsKnown(i)) continue;
      const NewOrderInput::Line& line = input.lines[i];
      Stock* stock = StockOf(line);
      TakeFromStock(line.quantity, line.supply_w_id != input.w_id, stock);
      NewOrderOutput::Line& shown = output->lines[i];
      shown.i_name = item_[i].name;
      shown.s_quantity = stock->quantity;
      shown.brand_generic =
          BrandGeneric(IsOriginal(item_[i].data), IsOriginal(stock->data));
      shown.i_price = item_[i].price;
      shown.amount = line.quantity * item_[i].price;
      sum += shown.amount;
      const rocksdb::Status status = InsertLine(input, i, *stock, *output);
      if (!status.ok()) return status;
    }
    if (!output->rolled_back) output->total_amount = TotalAmount(sum, *output);
    return rocksdb::Status::OK();
  }
  rocksdb::Status InsertLine(const NewOrderInput& input, uint8_t number,
                             const Stock& stock, const NewOrderOutput& output) {
    const NewOrderInput::Line& line = input.lines[number];
    const OrderLine row{.i_id = line.i_id,
                        .supply_w_id = line.supply_w_id,
                        .delivery_d = 0,
                        .quantity = line.quantity,
                        .amount = output.lines[number].amount,
                        .dist_info = stock.dist(input.d_id)};
    const OrderLineKey key = KeyOfOrderLine(input.w_id, input.d_id, output.o_id,
                                            static_cast<uint8_t>(number + 1));
    return rows_.Put(Table::kOrderLine, key.slice(), row);
  }
  rocksdb::Status WriteStock() {
    for (size_t i = 0; i < stocks_; ++i) {
      const rocksdb::Status status =
          rows_.Put(Table::kStock, stock_rows_.key(i), stock_[i]);
      if (!status.ok()) return status;
    }
    return rocksdb::Status::OK();
  }
  [[nodiscard]] bool IsKnown(size_t line) const {
    return items_.status(line).ok();
  }
  Stock* StockOf(const NewOrderInput::Line& line) {
    const auto begin = stock_ids_.begin();
    return &stock_[std::lower_bound(begin, begin + stocks_, StockId(line)) -
                   begin];
  }

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

}  // namespace waltax::tpcc
