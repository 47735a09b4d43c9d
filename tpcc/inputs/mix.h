// Which transaction of a terminal comes next.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "driver/random.h"
#include "tpcc/options.h"

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

}  // namespace waltax::tpcc
