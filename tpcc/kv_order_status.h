// Order-Status (clause 2.6) on RocksDB.
#pragma once

#include <cstdint>

#include "tpcc/keys.h"
#include "tpcc/kv_customer_names.h"
#include "tpcc/kv_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

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

}  // namespace waltax::tpcc
