// What users ask for and type: the mix, and the inputs of the five transactions
// (clauses 2.4.1 to 2.8.1). Drawing touches no store and reads no clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "driver/random.h"
#include "tpcc/draws.h"
#include "tpcc/options.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// Which transaction comes next (clause 5.2.4.2): 23 cards, dealt in random
// order and shuffled again when all are dealt: every 23 transactions of a
// terminal have exactly the mix, 10 to 10 to 1 to 1 to 1. Nobody else deals
// from it (DEVIATION T5).
class Deck {
 public:
  static constexpr size_t kCards = 23;
  // By Op.
  static constexpr std::array<size_t, kOps> kCardsOf = {10, 10, 1, 1, 1};

  Deck() {
    size_t card = 0;
    for (size_t op = 0; op < kOps; ++op) {
      for (size_t i = 0; i < kCardsOf[op]; ++i) {
        cards_[card++] = static_cast<Op>(op);
      }
    }
  }

  Op Deal(Random& random) {
    if (dealt_ == kCards) dealt_ = 0;
    // A Fisher-Yates shuffle, one step a card.
    const size_t chosen = dealt_ + random.NextInt(kCards - dealt_);
    std::swap(cards_[dealt_], cards_[chosen]);
    return cards_[dealt_++];
  }

 private:
  std::array<Op, kCards> cards_;
  size_t dealt_ = 0;
};

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
inline Home HomeOf(int terminal, int terminals, uint32_t warehouses) {
  const auto t = static_cast<uint64_t>(terminal);
  const auto of = static_cast<uint64_t>(terminals);
  const uint64_t place =
      of >= warehouses ? t % warehouses : t * warehouses / of;
  return {
      static_cast<uint32_t>(1 + place),
      static_cast<uint8_t>(1 + (t / warehouses + t % warehouses) % kDistricts)};
}

// Not thread-safe.
class Terminal {
 public:
  // Terminal `number` of a run with `seed`: the same pair draws the same
  // inputs, whatever the number of threads.
  Terminal(int number, const Home& home, uint32_t warehouses,
           const NuRandConstants& constants, uint64_t seed)
      : home_(home),
        warehouses_(warehouses),
        constants_(constants),
        random_(seed, static_cast<uint64_t>(number)) {}

  void Draw(Inputs* inputs) {
    inputs->op = deck_.Deal(random_);
    switch (inputs->op) {
      case Op::kNewOrder:
        return DrawNewOrder(&inputs->new_order);
      case Op::kPayment:
        return DrawPayment(&inputs->payment);
      case Op::kOrderStatus:
        inputs->order_status.customer.w_id = home_.w_id;
        inputs->order_status.customer.d_id = DrawDistrict();
        return DrawCustomer(&inputs->order_status.customer);
      case Op::kDelivery:
        return DrawDelivery(&inputs->delivery);
      case Op::kStockLevel:
        return DrawStockLevel(&inputs->stock_level);
    }
  }

 private:
  // Clause 2.4.1.
  void DrawNewOrder(NewOrderInput* input) {
    input->w_id = home_.w_id;
    input->d_id = DrawDistrict();
    input->c_id = kCustomerField.Draw(random_, constants_.customer);
    input->ol_cnt =
        static_cast<uint8_t>(Uniform(random_, kMinOrderLines, kMaxOrderLines));
    const bool rolls_back = DrawPercent(1);
    for (size_t i = 0; i < input->ol_cnt; ++i) {
      NewOrderInput::Line& line = input->lines[i];
      line.i_id = kItemField.Draw(random_, constants_.item);
      line.supply_w_id = home_.w_id;
      if (warehouses_ > 1 && DrawPercent(1)) {
        line.supply_w_id = DrawOtherWarehouse();
      }
      line.quantity = static_cast<uint8_t>(Uniform(random_, 1, 10));
    }
    if (rolls_back) {
      NewOrderInput::Line& last = input->lines[input->ol_cnt - 1U];
      last.i_id = kUnusedItem;
      last.supply_w_id = home_.w_id;  // nobody supplies it
    }
  }
  // Clause 2.5.1.
  void DrawPayment(PaymentInput* input) {
    input->w_id = home_.w_id;
    input->d_id = DrawDistrict();
    input->customer.w_id = input->w_id;
    input->customer.d_id = input->d_id;
    if (warehouses_ > 1 && DrawPercent(15)) {
      input->customer.w_id = DrawOtherWarehouse();
      input->customer.d_id = DrawDistrict();
    }
    DrawCustomer(&input->customer);
    input->amount = Uniform(random_, 100, 500'000);
  }
  void DrawDelivery(DeliveryInput* input) {
    input->w_id = home_.w_id;
    input->carrier_id = static_cast<uint8_t>(Uniform(random_, 1, 10));
  }
  void DrawStockLevel(StockLevelInput* input) {
    input->w_id = home_.w_id;
    input->d_id = home_.stock_level_d_id;
    input->threshold = static_cast<int32_t>(Uniform(random_, 10, 20));
  }
  // By last name or by number (clauses 2.5.1.2 and 2.6.1.2); leaves warehouse
  // and district.
  void DrawCustomer(CustomerChoice* customer) {
    if (DrawPercent(60)) {
      customer->c_id = 0;
      customer->last =
          LastName(kLastNameField.Draw(random_, constants_.last_name));
    } else {
      customer->c_id = kCustomerField.Draw(random_, constants_.customer);
      customer->last = {};
    }
  }
  // REQUIRES: more than one warehouse.
  uint32_t DrawOtherWarehouse() {
    const uint32_t drawn = Uniform(random_, 1, warehouses_ - 1);
    return drawn < home_.w_id ? drawn : drawn + 1;
  }
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
