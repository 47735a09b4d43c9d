// Cents as people read them.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "tpcc/schema.h"

namespace waltax::tpcc {

// -1234 is "-12.34".
inline std::string Money(Cents cents) {
  return fmt::format("{}{}.{:02}", cents < 0 ? "-" : "", std::abs(cents / 100),
                     std::abs(cents % 100));
}

}  // namespace waltax::tpcc
