// The evidence that a run drew the inputs and the mix it should have: the
// averages that clauses 5.2.3 and 5.5.1.5 want.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "driver/workload.h"
#include "tpcc/inputs/mix.h"
#include "tpcc/inputs/terminal.h"

namespace waltax::tpcc {

// Of one sample that is 1 with this probability, and 0 otherwise. For a share
// of the mix this is too large: a deck deals its cards without repetition.
constexpr InputRule Probability(std::string_view name, double mean, double low,
                                double high) {
  return {name, mean, mean * (1 - mean), low, high};
}

constexpr double ShareOf(Op op) {
  return static_cast<double>(Deck::kCardsOf[static_cast<size_t>(op)]) /
         static_cast<double>(Deck::kCards);
}

// In the order of InputTally::Rule. 5 to 15 lines have a variance of
// (11 * 11 - 1) / 12.
inline constexpr std::array kInputRules = {
    Probability("rollbacks", .01, .009, .011),
    InputRule{"order lines per order", 10, 10, 9.5, 10.5},
    Probability("remote order lines", .01, .0095, .0105),
    Probability("remote payments", .15, .14, .16),
    Probability("payments by last name", .60, .57, .63),
    Probability("order-status by last name", .60, .57, .63),
    Probability("PAYMENT share", ShareOf(Op::kPayment), .43, 1),
    Probability("ORDER_STATUS share", ShareOf(Op::kOrderStatus), .04, 1),
    Probability("DELIVERY share", ShareOf(Op::kDelivery), .04, 1),
    Probability("STOCK_LEVEL share", ShareOf(Op::kStockLevel), .04, 1),
};

inline bool Applies(const InputRule& rule, uint32_t warehouses) {
  return warehouses > 1 || !rule.name.starts_with("remote");
}

// With one warehouse there is no remote one, and no rule about it.
inline std::vector<InputRule> InputRulesFor(uint32_t warehouses) {
  std::vector<InputRule> rules;
  for (const InputRule& rule : kInputRules) {
    if (Applies(rule, warehouses)) rules.push_back(rule);
  }
  return rules;
}

// Counts inputs as they are drawn. Not thread-safe.
class InputTally {
 public:
  explicit InputTally(uint32_t warehouses) : warehouses_(warehouses) {}
  void Add(const Inputs& inputs) {
    Sample(kPaymentShare, inputs.op == Op::kPayment);
    Sample(kOrderStatusShare, inputs.op == Op::kOrderStatus);
    Sample(kDeliveryShare, inputs.op == Op::kDelivery);
    Sample(kStockLevelShare, inputs.op == Op::kStockLevel);
    if (inputs.op == Op::kNewOrder) {
      AddNewOrder(inputs.new_order);
    } else if (inputs.op == Op::kPayment) {
      const PaymentInput& payment = inputs.payment;
      Sample(kRemotePayments, payment.customer.w_id != payment.w_id);
      Sample(kPaymentsByName, payment.customer.c_id == 0);
    } else if (inputs.op == Op::kOrderStatus) {
      Sample(kOrderStatusByName, inputs.order_status.customer.c_id == 0);
    }
  }
  // Adds the counts to `counts`, in the order of InputRulesFor(), and starts
  // anew.
  void Take(std::vector<InputCount>* counts) {
    static_assert(kInputRules.size() == kRules);
    size_t at = 0;
    for (size_t rule = 0; rule < kRules; ++rule) {
      if (!Applies(kInputRules[rule], warehouses_)) continue;
      (*counts)[at].samples += counts_[rule].samples;
      (*counts)[at].sum += counts_[rule].sum;
      ++at;
    }
    counts_ = {};
  }

 private:
  enum Rule : size_t {
    kRollbacks,
    kOrderLines,
    kRemoteOrderLines,
    kRemotePayments,
    kPaymentsByName,
    kOrderStatusByName,
    kPaymentShare,
    kOrderStatusShare,
    kDeliveryShare,
    kStockLevelShare,
    kRules,
  };

  void Sample(Rule rule, uint64_t value) {
    ++counts_[rule].samples;
    counts_[rule].sum += value;
  }
  void AddNewOrder(const NewOrderInput& input) {
    const bool rolls_back = input.lines[input.ol_cnt - 1U].i_id == kUnusedItem;
    Sample(kRollbacks, rolls_back);
    Sample(kOrderLines, input.ol_cnt);
    // What has no item has no supplier either.
    const size_t supplied = input.ol_cnt - (rolls_back ? 1U : 0U);
    for (size_t i = 0; i < supplied; ++i) {
      Sample(kRemoteOrderLines, input.lines[i].supply_w_id != input.w_id);
    }
  }

  uint32_t warehouses_;
  std::array<InputCount, kRules> counts_{};
};

}  // namespace waltax::tpcc
