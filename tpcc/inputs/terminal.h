// What users type: the inputs of the five transactions (clauses 2.4.1 to
// 2.8.1). Drawing touches no store and reads no clock.
#pragma once

#include <cstdint>

#include "driver/random.h"
#include "tpcc/draws.h"
#include "tpcc/inputs/mix.h"
#include "tpcc/options.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// One transaction's inputs: those of `op` count, the others are left over.
struct Inputs {
  Op op = Op::kNewOrder;
  NewOrderInput new_order;
  PaymentInput payment;
  OrderStatusInput order_status;
  DeliveryInput delivery;
  StockLevelInput stock_level;
};

// Where a terminal stands, for the whole run (clauses 2.4.1.1 and 2.8.1.1).
struct Home {
  uint32_t w_id = 0;
  uint8_t stock_level_d_id = 0;
};

// Terminals are dealt to the warehouses in turn, or spread evenly over them
// when there are fewer, and so are the districts of Stock-Level: different ones
// for the terminals of a warehouse, up to ten (DEVIATION T4). REQUIRES: 0 <=
// terminal < terminals, warehouses > 0.
Home HomeOf(int terminal, int terminals, uint32_t warehouses);

// Not thread-safe.
class Terminal {
 public:
  // Terminal `number` of a run with `seed`: the same pair draws the same
  // inputs, whatever the number of threads.
  Terminal(int number, const Home& home, uint32_t warehouses,
           const NuRandConstants& constants, uint64_t seed);

  void Draw(Inputs* inputs);

 private:
  void DrawNewOrder(NewOrderInput* input);
  void DrawPayment(PaymentInput* input);
  void DrawDelivery(DeliveryInput* input);
  void DrawStockLevel(StockLevelInput* input);
  // By last name or by number; leaves warehouse and district.
  void DrawCustomer(CustomerChoice* customer);
  // REQUIRES: more than one warehouse.
  uint32_t DrawOtherWarehouse();
  uint8_t DrawDistrict() {
    return static_cast<uint8_t>(Uniform(random_, 1, kDistricts));
  }
  bool DrawPercent(uint32_t percent) {
    return Uniform(random_, 1, 100) <= percent;
  }

  Home home_;
  uint32_t warehouses_;
  NuRandConstants constants_;
  Random random_;
  Deck deck_;
};

}  // namespace waltax::tpcc
