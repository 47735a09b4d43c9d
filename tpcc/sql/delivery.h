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
  explicit SqlDelivery(mariadb::Connection* connection)
      : connection_(connection) {}

  // One attempt in the session's transaction.
  SqlStatus Try(const DeliveryInput& input, DeliveryOutput* output) {
    OrderNumbers& o_ids = output->o_ids;
    TRY(LockOldest(input.w_id, &o_ids));
    orders_ = static_cast<size_t>(kDistricts -
                                  std::count(o_ids.begin(), o_ids.end(), 0U));
    if (orders_ == 0) return {};
    TRY(TakeFromQueue(input.w_id, o_ids));
    TRY(ReadOfEach(Table::kOrder, input.w_id, o_ids, &read_orders_,
                   [this](uint64_t d_id) {
                     customers_[d_id - 1] =
                         static_cast<uint32_t>(read_orders_.Unsigned(1));
                   }));
    stamp_orders_.Begin();
    stamp_orders_.Bind(uint64_t{input.carrier_id});
    TRY(ExecuteForEach(input.w_id, o_ids, &stamp_orders_));
    TRY(ReadOfEach(
        Table::kOrderLine, input.w_id, o_ids, &sum_lines_,
        [this](uint64_t d_id) { amounts_[d_id - 1] = sum_lines_.Text(1); }));
    stamp_lines_.Begin();
    stamp_lines_.Bind(TimeText(Now()));
    TRY(ExecuteForEach(input.w_id, o_ids, &stamp_lines_));
    return CreditCustomers(input.w_id, o_ids);
  }

 private:
  using OrderNumbers = std::array<uint32_t, kDistricts>;
  // Executes a statement with an order of each district, whose places stand
  // behind its own.
  static SqlStatus ExecuteForEach(uint32_t w_id, const OrderNumbers& o_ids,
                                  mariadb::Statement* statement) {
    statement->Bind(uint64_t{w_id});
    for (const uint32_t o_id : o_ids) statement->Bind(uint64_t{o_id});
    return statement->Execute();
  }
  // The same of a query, whose rows begin with the district: one for each
  // order, which `take(d_id)` takes.
  template <typename Take>
  SqlStatus ReadOfEach(Table table, uint32_t w_id, const OrderNumbers& o_ids,
                       mariadb::Statement* query, const Take& take) {
    query->Begin();
    SqlStatus status = ExecuteForEach(w_id, o_ids, query);
    size_t found = 0;
    for (; query->Next(&status); ++found) take(query->Unsigned(0));
    if (!status.ok() || found == orders_) return status;
    return MissingSqlRow(table);
  }
  // Deliveries of a warehouse meet here, and follow one another.
  SqlStatus LockOldest(uint32_t w_id, OrderNumbers* o_ids) {
    o_ids->fill(0);
    for (uint32_t d_id = 1; d_id <= kDistricts; ++d_id) {
      SqlStatus status = lock_oldest_.Run(w_id, d_id);
      if (lock_oldest_.Next(&status)) {
        (*o_ids)[d_id - 1] = static_cast<uint32_t>(lock_oldest_.Unsigned(0));
      }
      TRY(status);
    }
    return {};
  }
  // Rows that are not there any more are somebody else's delivery: whatever an
  // engine locked, no order is delivered twice.
  SqlStatus TakeFromQueue(uint32_t w_id, const OrderNumbers& o_ids) {
    for (uint32_t d_id = 1; d_id <= kDistricts; ++d_id) {
      if (o_ids[d_id - 1] == 0) continue;
      take_from_queue_.AddToBatch(w_id, d_id, o_ids[d_id - 1]);
    }
    TRY(take_from_queue_.ExecuteBatch());
    if (take_from_queue_.affected_rows() == orders_) return {};
    return LostRace("new_orders: an order was delivered by another session");
  }
  SqlStatus CreditCustomers(uint32_t w_id, const OrderNumbers& o_ids) {
    for (uint32_t d_id = 1; d_id <= kDistricts; ++d_id) {
      if (o_ids[d_id - 1] == 0) continue;
      credit_customer_.AddToBatch(amounts_[d_id - 1], w_id, d_id,
                                  customers_[d_id - 1]);
    }
    TRY(credit_customer_.ExecuteBatch());
    if (credit_customer_.affected_rows() == orders_) return {};
    return MissingSqlRow(Table::kCustomer);
  }

  mariadb::Connection* connection_;
  mariadb::Statement lock_oldest_{connection_, sql::kLockOldest};
  mariadb::Statement take_from_queue_{connection_, sql::kTakeFromQueue};
  mariadb::Statement read_orders_{connection_, sql::ReadDeliveredOrders()};
  mariadb::Statement stamp_orders_{connection_, sql::StampOrders()};
  mariadb::Statement sum_lines_{connection_, sql::SumLines()};
  mariadb::Statement stamp_lines_{connection_, sql::StampLines()};
  mariadb::Statement credit_customer_{connection_, sql::kCreditCustomer};
  // By district, of the attempt under way.
  std::array<uint32_t, kDistricts> customers_{};
  std::array<std::string, kDistricts> amounts_;  // as decimal text
  size_t orders_ = 0;
};

}  // namespace waltax::tpcc
