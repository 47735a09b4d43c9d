// Which rows an operation is about, as its file says: the rows that are there,
// those of runs among them, by one of several distributions.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "driver/random.h"
#include "workloads/mix/file.h"
#include "workloads/mix/state.h"
#include "workloads/mix/values.h"

namespace waltax::mix {

// The rows or numbers of one draw, for one client. A copy draws as if it was
// made anew.
class RowChoice {
 public:
  // All outlive it; `rows` are null of numbers.
  RowChoice(const Draw& draw, const Values& values, TableState* rows);

  // Nothing when all turns were taken, and no more rows will come.
  std::optional<uint64_t> Draw(Random& random) const;
  [[nodiscard]] uint64_t DrawNumber(Random& random) const;
  // Whether the clients take turns: then it is known only when a row is taken,
  // and is to be drawn no sooner.
  [[nodiscard]] bool in_turn() const {
    return draw_.choice >= Choice::kSequential;
  }

 private:
  // One of so many that are there; nothing when it is nobody's turn.
  using Pick = std::function<std::optional<uint64_t>(Random&, uint64_t rows)>;
  // `drawn` of them a run begins with.
  [[nodiscard]] Pick PickRow(uint64_t drawn, uint64_t loaded) const;

  const mix::Draw& draw_;
  const Values& values_;
  TableState* rows_;
  uint64_t first_;  // so many are drawn at all; 0: all
  Pick pick_;
};

}  // namespace waltax::mix
