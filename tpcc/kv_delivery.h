// Delivery (clause 2.7) on RocksDB: all ten districts in one transaction.
#pragma once

#include <rocksdb/iterator.h>

#include <array>
#include <cstdint>
#include <memory>

#include "tpcc/kv_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

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

}  // namespace waltax::tpcc
