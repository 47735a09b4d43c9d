// The evidence that a run drew the inputs and the mix it should have: the
// averages that clauses 5.2.3 and 5.5.1.5 want.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "driver/workload.h"
#include "tpcc/inputs/terminal.h"

namespace waltax::tpcc {

// With one warehouse there is no remote one, and no rule about it.
std::vector<InputRule> InputRulesFor(uint32_t warehouses);

// Counts inputs as they are drawn. Not thread-safe.
class InputTally {
 public:
  explicit InputTally(uint32_t warehouses) : warehouses_(warehouses) {}
  void Add(const Inputs& inputs);
  // Adds the counts to `counts`, in the order of InputRulesFor(), and starts
  // anew.
  void Take(std::vector<InputCount>* counts);

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
  void AddNewOrder(const NewOrderInput& input);

  uint32_t warehouses_;
  std::array<InputCount, kRules> counts_{};
};

}  // namespace waltax::tpcc
