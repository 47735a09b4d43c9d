// Delivery on a server.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "tpcc/schema.h"
#include "tpcc/sql/statements.h"
#include "tpcc/sql/transactions.h"

namespace waltax::tpcc {

// Delivery (clause 2.7) on a server: one transaction of 17 round trips, ten of
// which find the oldest order of a district each.
class SqlDelivery {
 public:
  Status Prepare(mariadb::Connection& connection) {
    return PrepareAll(connection, {{&lock_oldest_, sql::kLockOldest},
                                   {&take_from_queue_, sql::kTakeFromQueue},
                                   {&read_orders_, sql::ReadDeliveredOrders()},
                                   {&stamp_orders_, sql::StampOrders()},
                                   {&sum_lines_, sql::SumLines()},
                                   {&stamp_lines_, sql::StampLines()},
                                   {&credit_customer_, sql::kCreditCustomer}});
  }

  // One attempt in the session's transaction.
  SqlStatus Try(const DeliveryInput& input, DeliveryOutput* output) {
    OrderNumbers& o_ids = output->o_ids;
    SqlStatus status = LockOldest(input.w_id, &o_ids);
    orders_ = static_cast<size_t>(kDistricts -
                                  std::count(o_ids.begin(), o_ids.end(), 0U));
    if (orders_ == 0) return status;
    if (status.ok()) status = TakeFromQueue(input.w_id, o_ids);
    if (status.ok()) status = ReadOrders(input.w_id, o_ids);
    if (status.ok()) status = StampOrders(input, o_ids);
    if (status.ok()) status = SumLines(input.w_id, o_ids);
    if (status.ok()) status = StampLines(input.w_id, o_ids);
    if (status.ok()) status = CreditCustomers(input.w_id, o_ids);
    return status;
  }

 private:
  using OrderNumbers = std::array<uint32_t, kDistricts>;
  // The places of a statement with an order of each district, behind its own.
  static void BindOrders(uint32_t w_id,
                         const std::array<uint32_t, kDistricts>& o_ids,
                         mariadb::Statement* statement) {
    statement->Bind(uint64_t{w_id});
    for (const uint32_t o_id : o_ids) statement->Bind(uint64_t{o_id});
  }
  // Deliveries of a warehouse meet here, and follow one another.
  SqlStatus LockOldest(uint32_t w_id, OrderNumbers* o_ids) {
    o_ids->fill(0);
    SqlStatus status;
    for (uint32_t d_id = 1; d_id <= kDistricts && status.ok(); ++d_id) {
      status = lock_oldest_->Run(w_id, d_id);
      if (status.ok() && lock_oldest_->Next(&status)) {
        (*o_ids)[d_id - 1] = static_cast<uint32_t>(lock_oldest_->Unsigned(0));
      }
    }
    return status;
  }
  // Rows that are not there any more are somebody else's delivery: whatever an
  // engine locked, no order is delivered twice.
  SqlStatus TakeFromQueue(uint32_t w_id, const OrderNumbers& o_ids) {
    for (uint32_t d_id = 1; d_id <= kDistricts; ++d_id) {
      if (o_ids[d_id - 1] == 0) continue;
      take_from_queue_->AddToBatch(w_id, d_id, o_ids[d_id - 1]);
    }
    const SqlStatus status = take_from_queue_->ExecuteBatch();
    if (!status.ok() || take_from_queue_->affected_rows() == orders_) {
      return status;
    }
    return LostRace("new_orders: an order was delivered by another session");
  }
  SqlStatus ReadOrders(uint32_t w_id, const OrderNumbers& o_ids) {
    read_orders_->Begin();
    BindOrders(w_id, o_ids, read_orders_.get());
    SqlStatus status = read_orders_->Execute();
    size_t found = 0;
    while (status.ok() && read_orders_->Next(&status)) {
      customers_[read_orders_->Unsigned(0) - 1] =
          static_cast<uint32_t>(read_orders_->Unsigned(1));
      ++found;
    }
    if (!status.ok() || found == orders_) return status;
    return MissingSqlRow(Table::kOrder);
  }
  SqlStatus StampOrders(const DeliveryInput& input, const OrderNumbers& o_ids) {
    stamp_orders_->Begin();
    stamp_orders_->Bind(uint64_t{input.carrier_id});
    BindOrders(input.w_id, o_ids, stamp_orders_.get());
    return stamp_orders_->Execute();
  }
  SqlStatus SumLines(uint32_t w_id, const OrderNumbers& o_ids) {
    sum_lines_->Begin();
    BindOrders(w_id, o_ids, sum_lines_.get());
    SqlStatus status = sum_lines_->Execute();
    size_t found = 0;
    while (status.ok() && sum_lines_->Next(&status)) {
      amounts_[sum_lines_->Unsigned(0) - 1] = sum_lines_->Text(1);
      ++found;
    }
    if (!status.ok() || found == orders_) return status;
    return MissingSqlRow(Table::kOrderLine);
  }
  SqlStatus StampLines(uint32_t w_id, const OrderNumbers& o_ids) {
    stamp_lines_->Begin();
    stamp_lines_->Bind(TimeText(Now()));
    BindOrders(w_id, o_ids, stamp_lines_.get());
    return stamp_lines_->Execute();
  }
  SqlStatus CreditCustomers(uint32_t w_id, const OrderNumbers& o_ids) {
    for (uint32_t d_id = 1; d_id <= kDistricts; ++d_id) {
      if (o_ids[d_id - 1] == 0) continue;
      credit_customer_->AddToBatch(amounts_[d_id - 1], w_id, d_id,
                                   customers_[d_id - 1]);
    }
    const SqlStatus status = credit_customer_->ExecuteBatch();
    if (!status.ok() || credit_customer_->affected_rows() == orders_) {
      return status;
    }
    return MissingSqlRow(Table::kCustomer);
  }

  SqlStatement lock_oldest_;
  SqlStatement take_from_queue_;
  SqlStatement read_orders_;
  SqlStatement stamp_orders_;
  SqlStatement sum_lines_;
  SqlStatement stamp_lines_;
  SqlStatement credit_customer_;
  // By district, of the attempt under way.
  std::array<uint32_t, kDistricts> customers_{};
  std::array<std::string, kDistricts> amounts_;  // as decimal text
  size_t orders_ = 0;
};

}  // namespace waltax::tpcc
