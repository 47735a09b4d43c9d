// Values of columns as SQL spells them.
#pragma once

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdint>
#include <ctime>
#include <string>

namespace waltax::shop {

// "12.05"
inline std::string PriceText(uint32_t cents) {
  return fmt::format("{}.{:02}", cents / 100, cents % 100);
}

// "2019-01-31 23:59:59", in UTC, as connections are (mariadb/connection.h).
inline std::string TimeText(uint32_t unix_s) {
  return fmt::format("{:%F %T}", fmt::gmtime(static_cast<std::time_t>(unix_s)));
}

}  // namespace waltax::shop
