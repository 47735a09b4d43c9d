#include "tpcc/kv_payment.h"

#include <algorithm>

#include "tpcc/keys.h"
#include "tpcc/now.h"
#include "tpcc/order_rules.h"

namespace waltax::tpcc {

rocksdb::Status KvPayment::Try(const PaymentInput& input,
                               PaymentOutput* output) {
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

rocksdb::Status KvPayment::PayWarehouse(const PaymentInput& input) {
  const WarehouseKey key = KeyOfWarehouse(input.w_id);
  const rocksdb::Status status =
      rows_.LockAndGet(Table::kWarehouse, key.slice(), &warehouse_);
  if (!status.ok()) return status;
  warehouse_.row.ytd += input.amount;
  return rows_.Put(Table::kWarehouse, key.slice(), warehouse_.row);
}

rocksdb::Status KvPayment::PayDistrict(const PaymentInput& input) {
  const DistrictKey key = KeyOfDistrict(input.w_id, input.d_id);
  const rocksdb::Status status =
      rows_.LockAndGet(Table::kDistrict, key.slice(), &district_);
  if (!status.ok()) return status;
  district_.row.ytd += input.amount;
  return rows_.Put(Table::kDistrict, key.slice(), district_.row);
}

rocksdb::Status KvPayment::PayCustomer(const PaymentInput& input,
                                       uint32_t c_id) {
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
void KvPayment::NoteBadCredit(const PaymentInput& input, uint32_t c_id) {
  WriteCreditNote(input, c_id, &customer_data_);
  customer_data_.append(customer_.row.data);
  customer_data_.resize(std::min(customer_data_.size(), kMostCustomerData));
  customer_.row.data = customer_data_;
}

// Under the customer's lock nobody else can have this payment's number.
rocksdb::Status KvPayment::InsertHistory(const PaymentInput& input,
                                         uint32_t c_id, Timestamp date) {
  history_data_ = warehouse_.row.name;
  history_data_.append(4, ' ');
  history_data_.append(district_.row.name);
  const HistoryKey key = KeyOfHistory(input.customer.w_id, input.customer.d_id,
                                      c_id, customer_.row.payment_cnt);
  return rows_.Put(Table::kHistory, key.slice(),
                   History{.w_id = input.w_id,
                           .d_id = input.d_id,
                           .date = date,
                           .amount = input.amount,
                           .data = history_data_});
}

void KvPayment::Show(uint32_t c_id, Timestamp date,
                     PaymentOutput* output) const {
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

}  // namespace waltax::tpcc
