#include "driver/sql/values.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

namespace waltax::mariadb {

namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A number of the binary protocol: little-endian, and 0 where it is left out.
uint32_t NumberAt(std::string_view bytes, size_t begin, size_t count) {
  uint32_t number = 0;
  for (size_t i = 0; i < count && begin + i < bytes.size(); ++i) {
    number |= uint32_t{static_cast<uint8_t>(bytes[begin + i])} << (8 * i);
  }
  return number;
}

}  // namespace

std::string DecimalText(int64_t number, int decimals) {
  int64_t unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  return fmt::format("{}{}.{:0{}}", number < 0 ? "-" : "",
                     std::abs(number / unit), std::abs(number % unit),
                     decimals);
}

std::string TimeText(uint64_t time) {
  using std::chrono::milliseconds;
  const std::chrono::sys_time<milliseconds> at(
      milliseconds(static_cast<int64_t>(time)));
  const auto day = std::chrono::floor<std::chrono::days>(at);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(at - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03}",
                     int{date.year()}, unsigned{date.month()},
                     unsigned{date.day()}, clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

int64_t ParseDecimal(std::string_view text, int decimals) {
  int64_t number = 0;
  int seen = 0;  // of them
  bool after_point = false;
  for (const char c : text) {
    if (c == '.') after_point = true;
    if (!IsDigit(c)) continue;
    number = number * 10 + (c - '0');
    if (after_point) ++seen;
  }
  for (; seen < decimals; ++seen) number *= 10;
  return text.starts_with('-') ? -number : number;
}

// Year in 2 bytes; month, day, hour, minute and second in one each;
// microseconds in 4. Zeroes at the end are left out.
uint64_t ParseTime(std::string_view bytes) {
  if (bytes.empty()) return 0;
  using std::chrono::milliseconds;
  const std::chrono::sys_days day(std::chrono::year_month_day(
      std::chrono::year(static_cast<int>(NumberAt(bytes, 0, 2))),
      std::chrono::month(NumberAt(bytes, 2, 1)),
      std::chrono::day(NumberAt(bytes, 3, 1))));
  const auto time = day.time_since_epoch() +
                    std::chrono::hours(NumberAt(bytes, 4, 1)) +
                    std::chrono::minutes(NumberAt(bytes, 5, 1)) +
                    std::chrono::seconds(NumberAt(bytes, 6, 1)) +
                    milliseconds(NumberAt(bytes, 7, 4) / 1000);
  return static_cast<uint64_t>(milliseconds(time).count());
}

}  // namespace waltax::mariadb
