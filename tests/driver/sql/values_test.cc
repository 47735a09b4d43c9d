#include "driver/sql/values.h"

#include <gtest/gtest.h>

namespace waltax::mariadb {
namespace {

// As the binary protocol has 2023-11-14 22:13:20 and what follows a second.
std::string Bytes(std::string_view microseconds = {}) {
  std::string bytes = {'\xe7', '\x07', 11, 14, 22, 13, 20};
  bytes += microseconds;
  return bytes;
}

TEST(Values, ReadsWhatItWritesOfMoney) {
  for (const int64_t cents :
       {int64_t{0}, int64_t{5}, int64_t{-5}, int64_t{1234}, int64_t{-1234},
        int64_t{999'999'999'999}}) {
    EXPECT_EQ(ParseDecimal(DecimalText(cents, 2), 2), cents);
  }
}

TEST(Values, ReadsWhatItWritesOfRates) {
  EXPECT_EQ(DecimalText(7, 4), "0.0007");
  EXPECT_EQ(DecimalText(1234, 4), "0.1234");
  for (const int64_t rate : {0, 7, 1234, 5000}) {
    EXPECT_EQ(ParseDecimal(DecimalText(rate, 4), 4), rate);
  }
}

TEST(Values, ReadsDecimalsThatAreLeftOut) {
  EXPECT_EQ(ParseDecimal("12", 2), 1200);
  EXPECT_EQ(ParseDecimal("12.5", 2), 1250);
  EXPECT_EQ(ParseDecimal("-.5", 2), -50);
}

TEST(Values, WritesTimesInUtc) {
  EXPECT_EQ(TimeText(1'700'000'000'000), "2023-11-14 22:13:20.000");
  EXPECT_EQ(TimeText(1'700'000'000'123), "2023-11-14 22:13:20.123");
}

TEST(Values, ReadsTimesFromTheBinaryProtocol) {
  EXPECT_EQ(ParseTime(Bytes()), 1'700'000'000'000U);
  // 123,000 microseconds.
  EXPECT_EQ(ParseTime(Bytes({"\x78\xe0\x01\x00", 4})), 1'700'000'000'123U);
  EXPECT_EQ(ParseTime({"\xe7\x07\x0b\x0e", 4}), 1'699'920'000'000U);
  EXPECT_EQ(ParseTime({}), 0U);
}

}  // namespace
}  // namespace waltax::mariadb
