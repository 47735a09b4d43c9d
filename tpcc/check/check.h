// The consistency conditions of clause 3.3.2, verified row by row, and the
// orders that somebody was told to be committed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/ack_log.h"
#include "driver/status.h"
#include "driver/workload.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// A New-Order that a client was told to be committed, as a line of --ack-log
// (driver/ack_log.h) has it:
//
//   line : w " " d " " o " " c "\n"
struct AcknowledgedOrder {
  uint32_t w_id = 0;
  uint8_t d_id = 0;
  uint32_t o_id = 0;
  uint32_t c_id = 0;

  bool operator==(const AcknowledgedOrder&) const = default;
};
Status ReadAckLog(const std::string& path,
                  std::vector<AcknowledgedOrder>* orders);

// The sum of D_NEXT_O_ID, which grows by 1 with each New-Order.
Status SumNextOrders(const Store& store, uint64_t* sum);

// What a process knows beside the database.
struct CheckExpectations {
  std::optional<uint64_t> next_orders;  // SumNextOrders() after what it did
  std::optional<std::vector<AcknowledgedOrder>> acknowledged;
};

// Verifies, on `threads` threads and as exact equalities:
//   condition 1 to 10 and 12 as the clause has them;
//   condition 11 in the form that holds after a run, too: the delivered orders
//     of a district are the 2100 of the load and the sum of C_DELIVERY_CNT
//     (DEVIATION T12);
//   payment count: C_PAYMENT_CNT is the number of HISTORY rows;
//   delivery count: C_DELIVERY_CNT is the number of the customer's orders that
//     were delivered since the load;
//   order, order line: O_CARRIER_ID and O_OL_CNT are in their ranges,
//     O_ALL_LOCAL says whether a line has another supplier, lines are numbered
//     from 1 without a gap, and OL_AMOUNT of an order added since the load is
//     OL_QUANTITY * I_PRICE;
//   stock: S_YTD, S_ORDER_CNT and S_REMOTE_CNT are those of the order lines
//     that were added since the load, and S_QUANTITY is in its range;
//   customer index, order index: the rows of index and table are the same;
//   low-water mark: not above the oldest NEW-ORDER, in stores that have one;
//   committed, acknowledged: the database has what `expect` says;
// and that there is every row of the tables that never grow. A violation is a
// sentence that begins with the condition's name, or with the table's for a row
// that is missing, has an impossible key, or cannot be decoded. Rows of a
// warehouse above `warehouses` are not looked at. Beside the rows of each table
// it counts the acknowledged orders. All sessions must be idle.
//
// Fails only when the store cannot be read. Takes about 2 MB and 20 MB per
// thread, of which 40 bytes are for each order of a warehouse.
Status CheckConsistency(const Store& store, uint32_t warehouses, int threads,
                        const CheckExpectations& expect, CheckResult* result);

}  // namespace waltax::tpcc
