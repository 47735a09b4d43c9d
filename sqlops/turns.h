// Which student a turn is about: turns count from 1, over all workers.
#pragma once

#include <cstdint>

#include "driver/scatter.h"
#include "sqlops/options.h"
#include "sqlops/student.h"

namespace waltax::sqlops {

// Turns that a killed run may have taken without writing anything.
inline constexpr uint64_t kLargestGap = 4096;

// The s_id that each turn of an insert takes: the next one, or one of all that
// are left, far from its neighbours. Thread-safe.
class InsertIds {
 public:
  InsertIds(uint64_t students, Op op)
      : students_(students),
        scattered_(op == Op::kInsertRandom),
        scatter_(turns() + 1) {}

  // How many there are.
  [[nodiscard]] uint64_t turns() const { return kMissingId - 2 - students_; }
  [[nodiscard]] uint64_t Of(uint64_t turn) const {
    return students_ + 1 + (scattered_ ? scatter_.Place(turn) : turn - 1);
  }

 private:
  uint64_t students_;
  bool scattered_;
  Scatter scatter_;
};

// The s_id of the loaded student that each turn of a delete takes. Thread-safe.
class DeleteIds {
 public:
  explicit DeleteIds(uint64_t students)
      : students_(students), scatter_(students) {}

  [[nodiscard]] uint64_t turns() const { return students_; }
  [[nodiscard]] uint64_t Of(uint64_t turn) const {
    return 1 + scatter_.Place(turn);
  }

 private:
  uint64_t students_;
  Scatter scatter_;
};

}  // namespace waltax::sqlops
