// Payment (clause 2.5) on RocksDB.
#pragma once

#include <cstdint>
#include <string>

#include "tpcc/kv_customer_names.h"
#include "tpcc/kv_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

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

}  // namespace waltax::tpcc
