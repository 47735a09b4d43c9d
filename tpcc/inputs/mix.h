// Which transaction of a terminal comes next, and how long its user pauses.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
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

// The pauses of one terminal: how long a user types and thinks (clauses 5.2.5.2
// to 5.2.5.7). They come from a stream of their own: paced or
// not, a terminal draws the same transactions.
class Pacing {
 public:
  explicit Pacing(Random random) : random_(random) {}

  // Between the end of the transaction before and the start of `next`: the
  // think time of the one and the keying time of the other.
  std::chrono::nanoseconds PauseBefore(Op next) {
    const std::chrono::nanoseconds thinking = Think();
    previous_ = next;
    return thinking + kKeying[static_cast<size_t>(next)];
  }

 private:
  // By Op (clause 5.2.5.7). The mean think time is the clause's minimum.
  static constexpr std::array<std::chrono::seconds, kOps> kKeying = {
      std::chrono::seconds(18), std::chrono::seconds(3),
      std::chrono::seconds(2), std::chrono::seconds(2),
      std::chrono::seconds(2)};
  static constexpr std::array<double, kOps> kMeanThinkS = {12, 12, 10, 5, 5};

  // Negative exponential, cut off at ten times the mean (clause 5.2.5.4). The
  // first transaction of a terminal comes without one.
  std::chrono::nanoseconds Think() {
    if (!previous_) return std::chrono::nanoseconds(0);
    const double mean_s = kMeanThinkS[static_cast<size_t>(*previous_)];
    const double drawn_s = -std::log(1 - random_.NextDouble()) * mean_s;
    return std::chrono::nanoseconds(
        static_cast<int64_t>(std::min(drawn_s, 10 * mean_s) * 1e9));
  }

  Random random_;
  std::optional<Op> previous_;
};

}  // namespace waltax::tpcc
