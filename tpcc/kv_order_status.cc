#include "tpcc/kv_order_status.h"

#include <limits>

namespace waltax::tpcc {

rocksdb::Status KvOrderStatus::Read(const OrderStatusInput& input,
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

// Clause 2.6.2.2: the row with the largest O_ID, which the index has first.
// Every customer has one, because clause 4.3.3.1 gives each an order and none
// is ever removed.
rocksdb::Status KvOrderStatus::FindNewest(const CustomerChoice& customer,
                                          uint32_t c_id,
                                          const rocksdb::Snapshot* snapshot,
                                          uint32_t* o_id) {
  constexpr uint32_t kLargest = std::numeric_limits<uint32_t>::max();
  const auto index = rows_.NewIterator(Table::kOrderByCustomer, snapshot);
  index->Seek(KeyOfOrderByCustomer(customer.w_id, customer.d_id, c_id, kLargest)
                  .slice());
  if (!index->status().ok()) return index->status();
  const CustomerKey prefix = KeyOfCustomer(customer.w_id, customer.d_id, c_id);
  if (!index->Valid() || !index->key().starts_with(prefix.slice())) {
    return MissingRow(Table::kOrderByCustomer);
  }
  *o_id = NewestOrderOf(index->key());
  return rocksdb::Status::OK();
}

rocksdb::Status KvOrderStatus::ReadLines(const CustomerChoice& customer,
                                         const rocksdb::Snapshot* snapshot,
                                         OrderStatusOutput* output) {
  output->lines.clear();
  const OrderKey order = KeyOfOrder(customer.w_id, customer.d_id, output->o_id);
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

}  // namespace waltax::tpcc
