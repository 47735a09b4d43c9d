#include "workloads/ycsb/keys.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "workloads/ycsb/records.h"

namespace waltax::ycsb {
namespace {

std::string KeyOf(const KeyFormat& format, uint64_t number) {
  std::string key;
  format.Write(number, &key);
  return key;
}

// Of the original, under Java.
TEST(Keys, HashNumbersAsTheOriginalDoes) {
  const std::vector<uint64_t> of_0_to_19 = {
      6284781860667377211, 8517097267634966620, 1820151046732198393,
      4052466453699787802, 3232700585171816769, 1000385178204227360,
      7697331399106995587, 5465015992139406178, 6873002678636213555,
      9105318085603802964, 2408371864701034737, 4640687271668624146,
      2644479767202980425, 412164360235391016,  7109110581138159243,
      4876795174170569834, 7461223496605049899, 8753205170136912308,
      2996592682669871081, 5228908089637460490};
  for (uint64_t n = 0; n < of_0_to_19.size(); ++n) {
    EXPECT_EQ(Fnv64(n), of_0_to_19[n]) << n;
  }
  EXPECT_EQ(Fnv64(999), 2071219101098386137U);
  EXPECT_EQ(Fnv64(1000), 5952875239596136740U);
  EXPECT_EQ(Fnv64(99'999), 7592201923306675823U);
  EXPECT_EQ(Fnv64(1'000'000), 1011632231655643464U);
}

// Defect Y7: where the original casts to int, numbers are cut.
TEST(Keys, HashNumbersOf64Bits) {
  EXPECT_EQ(Fnv64(uint64_t{1} << 31), 5860980763039959109U);
  EXPECT_EQ(Fnv64(10'000'000'000), 1201321332300452516U);
  EXPECT_EQ(Fnv64(UINT64_MAX), 8289690350564177859U);
}

TEST(Keys, AreTheWordUserAndAHashOrTheNumberPaddedWithZeros) {
  EXPECT_EQ(KeyOf({}, 0), "user6284781860667377211");
  EXPECT_EQ(KeyOf({true, 8}, 0), "user00000000");
  EXPECT_EQ(KeyOf({true, 1}, 1234), "user1234");
  EXPECT_EQ(KeyOf({false, 25}, 0), "user0000006284781860667377211");
}

TEST(KeyList, HasTheKeysOfARangeInTheOrderOfTheirBytes) {
  for (const KeyFormat& format :
       {KeyFormat{false, 1}, KeyFormat{true, 1}, KeyFormat{true, 8},
        KeyFormat{false, 19}, KeyFormat{false, 25}}) {
    std::set<std::string> wanted;
    for (uint64_t n = 90; n < 1200; ++n) wanted.insert(KeyOf(format, n));
    DataOptions data;
    data.insertstart = 90;
    data.insertcount = 1110;
    data.insertorder = format.ordered ? "ordered" : "hashed";
    data.zeropadding = format.zeropadding;
    const KeyList list(data);
    ASSERT_EQ(list.size(), wanted.size());
    std::vector<std::string> found(list.size());
    for (size_t i = 0; i < list.size(); ++i) list.Write(i, &found[i]);
    EXPECT_EQ(found, std::vector<std::string>(wanted.begin(), wanted.end()))
        << format.ordered << " " << format.zeropadding;
  }
}

}  // namespace
}  // namespace waltax::ycsb
