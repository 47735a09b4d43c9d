// What a process knows to have committed, against what the database has.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/findings.h"
#include "tpcc/check.h"
#include "tpcc/check_orders.h"

namespace waltax::tpcc {

// Thread-safe.
class ExpectedOrders {
 public:
  explicit ExpectedOrders(const CheckExpectations& expect);

  // REQUIRES: all orders of the district were added to `orders`.
  void VerifyDistrict(uint32_t w, uint8_t d, uint32_t next_o_id,
                      OrdersCheck* orders, Findings* findings) const;
  // Reports what no district has.
  void VerifyPlaces(uint32_t warehouses, Findings* findings) const;

 private:
  std::vector<uint32_t> next_o_ids_;
  std::vector<AcknowledgedOrder> acknowledged_;  // by w, d, o
};

}  // namespace waltax::tpcc
