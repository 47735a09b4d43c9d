// Decimals and times as a server reads and writes them: decimal text there,
// whole numbers here, and never a floating-point number between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace waltax::mariadb {

// "-12.34" of -1234 with 2 decimals.
std::string DecimalText(int64_t number, int decimals);

// The number of such units as the last of `decimals`: "-12.34" with 2 is -1234.
// REQUIRES: a DECIMAL's text with at most so many decimals.
int64_t ParseDecimal(std::string_view text, int decimals);

// Milliseconds since the epoch, without a zone, in UTC: "2023-11-14
// 22:13:20.000".
std::string TimeText(uint64_t time);

// Of a DATETIME column as a prepared statement has it: in the bytes of the
// binary protocol. NULL is 0.
uint64_t ParseTime(std::string_view bytes);

}  // namespace waltax::mariadb
