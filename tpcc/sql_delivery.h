// Delivery (clause 2.7) on a server: one transaction of 17 round trips, ten of
// which find the oldest order of a district each.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "tpcc/sql_rows.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

class SqlDelivery {
 public:
  Status Prepare(mariadb::Connection& connection);

  // One attempt in the session's transaction.
  mariadb::SqlStatus Try(const DeliveryInput& input, DeliveryOutput* output);

 private:
  using OrderNumbers = std::array<uint32_t, kDistricts>;
  mariadb::SqlStatus LockOldest(uint32_t w_id, OrderNumbers* o_ids);
  mariadb::SqlStatus TakeFromQueue(uint32_t w_id, const OrderNumbers& o_ids);
  mariadb::SqlStatus ReadOrders(uint32_t w_id, const OrderNumbers& o_ids);
  mariadb::SqlStatus StampOrders(const DeliveryInput& input,
                                 const OrderNumbers& o_ids);
  mariadb::SqlStatus SumLines(uint32_t w_id, const OrderNumbers& o_ids);
  mariadb::SqlStatus StampLines(uint32_t w_id, const OrderNumbers& o_ids);
  mariadb::SqlStatus CreditCustomers(uint32_t w_id, const OrderNumbers& o_ids);

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
