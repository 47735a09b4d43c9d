// Delivery on RocksDB.
#pragma once

#include <rocksdb/iterator.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "tpcc/keys.h"
#include "tpcc/kv/rows.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// Clause 2.7, with the buffers that it uses again and again. Used by one
// thread. All ten districts in one transaction.
class KvDelivery {
 public:
  explicit KvDelivery(KvRows* rows)
      : rows_(*rows),
        new_orders_(rows->NewIterator(Table::kNewOrder)),
        lines_(rows->NewIterator(Table::kOrderLine)) {}

  // One attempt in the transaction of the rows' loop.
  rocksdb::Status Try(const DeliveryInput& input, DeliveryOutput* output) {
    std::array<uint32_t, kDistricts>& o_ids = output->o_ids;
    o_ids.fill(0);
    date_ = Now();
    TRY(LockMarks(input.w_id));
    TRY(FindOldest(input.w_id, &o_ids));
    if (std::count(o_ids.begin(), o_ids.end(), 0) > 0) {
      TRY(LockEmptyDistricts(input.w_id, o_ids));
      TRY(FindOldest(input.w_id, &o_ids));
    }
    // The marks' locks cover orders and lines, too, once they are inserted.
    TRY(lines_->Refresh());
    for (uint8_t d_id = 1; d_id <= kDistricts; ++d_id) {
      const uint32_t o_id = o_ids[d_id - 1];
      if (o_id != 0) TRY(Deliver(input, d_id, o_id));
    }
    return rocksdb::Status::OK();
  }

 private:
  // Deliveries of a warehouse follow one another from here on, so that none
  // delivers what another has (the row locks alone would not prevent it).
  rocksdb::Status LockMarks(uint32_t w_id) {
    for (uint8_t d_id = 1; d_id <= kDistricts; ++d_id) {
      TRY(rows_.LockAndGet(KeyOfOldestNewOrder(w_id, d_id), &mark_));
      if (!table::Take(&mark_.row.mark, &marks_[d_id - 1]))
        return KvTables::Garbled(Table::kNewOrder);
    }
    return rocksdb::Status::OK();
  }
  // Of each district that `o_ids` has no order of yet.
  // From the mark on, the first row that is there is the oldest. What follows
  // the last row of a district is the mark of the next one, never a tombstone,
  // so no bound is needed to stop early.
  rocksdb::Status FindOldest(uint32_t w_id,
                             std::array<uint32_t, kDistricts>* o_ids) {
    TRY(new_orders_->Refresh());
    for (uint8_t d_id = 1; d_id <= kDistricts; ++d_id) {
      uint32_t& o_id = (*o_ids)[d_id - 1];
      if (o_id != 0) continue;
      new_orders_->Seek(KeyOfNewOrder(w_id, d_id, marks_[d_id - 1]));
      TRY(new_orders_->status());
      if (new_orders_->Valid() &&
          new_orders_->key().starts_with(KeyOfDistrict(w_id, d_id))) {
        o_id = NumberOf(new_orders_->key());
      }
    }
    return rocksdb::Status::OK();
  }
  // Clause 3.4.2.8: a district found empty must stay so until the commit. With
  // its lock no New-Order can insert one.
  rocksdb::Status LockEmptyDistricts(
      uint32_t w_id, const std::array<uint32_t, kDistricts>& o_ids) {
    for (uint8_t d_id = 1; d_id <= kDistricts; ++d_id) {
      if (o_ids[d_id - 1] != 0) continue;
      TRY(rows_.Lock(Table::kDistrict, KeyOfDistrict(w_id, d_id)));
    }
    return rocksdb::Status::OK();
  }
  // Clause 2.7.4.2, for one district.
  rocksdb::Status Deliver(const DeliveryInput& input, uint8_t d_id,
                          uint32_t o_id) {
    Cents amount = 0;
    TRY(TakeFromQueue(input.w_id, d_id, o_id));
    TRY(StampOrder(input, d_id, o_id));
    TRY(StampLines(input.w_id, d_id, o_id, &amount));
    const CustomerKey key = KeyOfCustomer(input.w_id, d_id, order_.row.c_id);
    TRY(rows_.LockAndGet(key, &customer_));
    customer_.row.balance += amount;
    ++customer_.row.delivery_cnt;
    return rows_.Put(key, customer_.row);
  }
  // REQUIRES: FindOldest() has seen the row. A SingleDelete of a row that is
  // not there would go unnoticed.
  rocksdb::Status TakeFromQueue(uint32_t w_id, uint8_t d_id, uint32_t o_id) {
    TRY(rows_.SingleDelete(Table::kNewOrder, KeyOfNewOrder(w_id, d_id, o_id)));
    const uint32_t mark = o_id + 1;
    return rows_.Put(
        KeyOfOldestNewOrder(w_id, d_id),
        NewOrderRow{{reinterpret_cast<const char*>(&mark), sizeof(mark)}});
  }
  rocksdb::Status StampOrder(const DeliveryInput& input, uint8_t d_id,
                             uint32_t o_id) {
    const OrderKey key = KeyOfOrder(input.w_id, d_id, o_id);
    TRY(rows_.Get(key, nullptr, &order_));
    if (order_.row.carrier_id != 0) {
      return rocksdb::Status::Corruption("orders",
                                         "an order waits that was delivered");
    }
    order_.row.carrier_id = input.carrier_id;
    return rows_.Put(key, order_.row);
  }
  rocksdb::Status StampLines(uint32_t w_id, uint8_t d_id, uint32_t o_id,
                             Cents* amount) {
    lines_->Seek(KeyOfOrderLine(w_id, d_id, o_id, 1));
    for (uint8_t number = 1; number <= order_.row.ol_cnt; ++number) {
      const OrderLineKey key = KeyOfOrderLine(w_id, d_id, o_id, number);
      if (!lines_->Valid() || lines_->key() != key.slice()) {
        TRY(lines_->status());
        return KvTables::Missing(Table::kOrderLine);
      }
      OrderLine line;
      TRY(KvRows::Decode(lines_->value(), &line));
      line.delivery_d = date_;
      *amount += line.amount;
      TRY(rows_.Put(key, line));
      lines_->Next();
    }
    return rocksdb::Status::OK();
  }

  KvRows& rows_;
  std::unique_ptr<rocksdb::Iterator> new_orders_;
  std::unique_ptr<rocksdb::Iterator> lines_;
  Stored<NewOrderRow> mark_;
  std::array<uint32_t, kDistricts> marks_{};
  Timestamp date_ = 0;
  Stored<Order> order_;
  Stored<Customer> customer_;
};

}  // namespace waltax::tpcc
