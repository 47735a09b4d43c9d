// The clock of the "date and time" columns (clause 1.3).
#pragma once

#include <chrono>

#include "tpcc/schema.h"

namespace waltax::tpcc {

inline Timestamp Now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<Timestamp>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace waltax::tpcc
