// New-Order on RocksDB.
#pragma once

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
  rocksdb::Status Enter(const NewOrderInput& input, NewOrderOutput* output) {
    entry_.Begin(input, output);
    TRY(TakeNumber(input, output));
    TRY(ReadUnchanging(input, output));
    entry_.CollectStock();
    TRY(LockStock());
    TRY(ReadStock());
    TRY(InsertOrder(input, *output));
    for (uint8_t i = 0; i < input.ol_cnt; ++i) {
      if (entry_.knows(i)) TRY(InsertLine(input, i, *output));
    }
    entry_.ShowTotal();
    for (size_t i = 0; i < entry_.stocks(); ++i) {
      TRY(rows_.Put(stock_rows_.key(i), stock_[i]));
    }
    // Clause 2.4.2.3: only after everything was done for the items that exist.
    if (output->rolled_back) return rows_.loop().transaction().Rollback();
    return rocksdb::Status::OK();
  }
  // The district's lock orders the New-Orders of a district, and covers the
  // rows that only they insert: order, new_order, its lines, and its index row.
  rocksdb::Status TakeNumber(const NewOrderInput& input,
                             NewOrderOutput* output) {
    const DistrictKey key = KeyOfDistrict(input.w_id, input.d_id);
    TRY(rows_.LockAndGet(key, &district_));
    output->d_tax = district_.row.tax;
    output->o_id = district_.row.next_o_id++;
    return rows_.Put(key, district_.row);
  }
  // Columns that no transaction of TPC-C writes need no lock, and for TPC-C
  // alone no snapshot. But clause 3.4.2.7 has prices changed by another
  // session: all reads of an order must then be of one state. That state is of
  // after the wait for the district's lock, since earlier orders of the
  // district may have seen what was changed meanwhile.
  rocksdb::Status ReadUnchanging(const NewOrderInput& input,
                                 NewOrderOutput* output) {
    rocksdb::ManagedSnapshot snapshot(rows_.tables().db);
    TRY(rows_.Get(KeyOfWarehouse(input.w_id), snapshot.snapshot(),
                  &warehouse_));
    TRY(rows_.Get(KeyOfCustomer(input.w_id, input.d_id, input.c_id),
                  snapshot.snapshot(), &customer_));
    output->w_tax = warehouse_.row.tax;
    output->c_discount = customer_.row.discount;
    output->c_last = customer_.row.last;
    output->c_credit = customer_.row.credit;
    return ReadItems(input, snapshot.snapshot());
  }
  rocksdb::Status ReadItems(const NewOrderInput& input,
                            const rocksdb::Snapshot* snapshot) {
    items_.Clear();
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      items_.Add(KeyOfItem(input.lines[i].i_id));
    }
    rows_.GetMany<Item>(snapshot, /*sorted=*/false, &items_);
    for (size_t i = 0; i < input.ol_cnt; ++i) {
      if (items_.status(i).IsNotFound()) continue;
      Item item;
      TRY(rows_.Take(items_, i, &item));
      entry_.TakeItem(i, item);
    }
    return rocksdb::Status::OK();
  }
  rocksdb::Status LockStock() {
    stock_rows_.Clear();
    for (size_t i = 0; i < entry_.stocks(); ++i) {
      const StockKey key = KeyOfStock(entry_.supplier(i), entry_.item(i));
      TRY(rows_.Lock(Table::kStock, key));
      stock_rows_.Add(key);
    }
    return rocksdb::Status::OK();
  }
  rocksdb::Status ReadStock() {
    rows_.GetMany<Stock>(nullptr, /*sorted=*/true, &stock_rows_);
    for (size_t i = 0; i < entry_.stocks(); ++i) {
      TRY(rows_.Take(stock_rows_, i, &stock_[i]));
    }
    return rocksdb::Status::OK();
  }
  rocksdb::Status InsertOrder(const NewOrderInput& input,
                              const NewOrderOutput& output) {
    TRY(rows_.Put(KeyOfOrder(input.w_id, input.d_id, output.o_id),
                  Order{.c_id = input.c_id,
                        .entry_d = output.entry_d,
                        .carrier_id = 0,
                        .ol_cnt = input.ol_cnt,
                        .all_local = entry_.all_local()}));
    TRY(rows_.Put(
        KeyOfOrderByCustomer(input.w_id, input.d_id, input.c_id, output.o_id),
        CustomerOrder()));
    return rows_.Put(KeyOfNewOrder(input.w_id, input.d_id, output.o_id),
                     NewOrderRow());
  }
  // Clause 2.4.2.2, for each item.
  rocksdb::Status InsertLine(const NewOrderInput& input, uint8_t number,
                             const NewOrderOutput& output) {
    const NewOrderInput::Line& line = input.lines[number];
    Stock& stock = stock_[entry_.StockOf(line)];
    entry_.TakeFromStock(number, &stock);
    const OrderLineKey key = KeyOfOrderLine(input.w_id, input.d_id, output.o_id,
                                            static_cast<uint8_t>(number + 1));
    return rows_.Put(key, OrderLine{.i_id = line.i_id,
                                    .supply_w_id = line.supply_w_id,
                                    .delivery_d = 0,
                                    .quantity = line.quantity,
                                    .amount = output.lines[number].amount,
                                    .dist_info = stock.dist(input.d_id)});
  }

  KvRows& rows_;
  OrderEntry entry_;
  Stored<District> district_;
  Stored<Warehouse> warehouse_;
  Stored<Customer> customer_;
  MultiGet<ItemKey> items_;        // by line
  MultiGet<StockKey> stock_rows_;  // by their places in `entry_`, as the next
  std::array<Stock, kMaxOrderLines> stock_{};
};

}  // namespace waltax::tpcc
