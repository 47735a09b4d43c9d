// Money, rates and times as a server reads and writes them: decimal text there,
// whole numbers here, and never a floating-point number between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tpcc/schema.h"

namespace waltax::tpcc {

// "0.1234" of 1234.
std::string RateText(TenThousandths rate);

// A time without a zone, in UTC: "2023-11-14 22:13:20.000". REQUIRES: not 0.
std::string TimeText(Timestamp time);

// The number of such units as the last of `digits` decimals: "-12.34" with 2
// is -1234. REQUIRES: a DECIMAL's text with at most so many decimals.
int64_t ParseDecimal(std::string_view text, int digits);
inline Cents ParseMoney(std::string_view text) { return ParseDecimal(text, 2); }
inline TenThousandths ParseRate(std::string_view text) {
  return static_cast<TenThousandths>(ParseDecimal(text, 4));
}

// Of a DATETIME column as a prepared statement has it: in the bytes of the
// binary protocol. NULL is 0.
Timestamp ParseTime(std::string_view bytes);

}  // namespace waltax::tpcc
