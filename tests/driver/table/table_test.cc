// A table with every kind of column and of key's part.
#include "driver/table/table.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "driver/findings.h"
#include "driver/table/reader.h"

namespace waltax::table {
namespace {

enum class Id : uint8_t { kMakers };

struct Maker {
  static constexpr Id kTable = Id::kMakers;

  std::string_view name;
  uint8_t stars = 0;

  static constexpr auto Columns() {
    return std::tuple(Column{"maker", {}, &Maker::name},
                      Column{"stars", {}, &Maker::stars});
  }
};

struct Boat {
  int32_t price = 0;
  bool sails = false;
  Maker maker;
  std::string_view log;

  static constexpr auto Columns() {
    return std::tuple(Column{"price", {"INT"}, &Boat::price},
                      Column{"sails", {}, &Boat::sails},
                      Column{"", {}, &Boat::maker},
                      Column{"log", {.sql = {}, .as = As::kRest}, &Boat::log});
  }
};

std::string Encoded(const Boat& boat) {
  std::string bytes = "what was there";
  EncodeRow(boat, &bytes);
  return bytes;
}

TEST(Columns, AreBytesOneBehindTheOther) {
  const std::string bytes = Encoded({-2, true, {"Ax", 5}, "left"});
  EXPECT_EQ(bytes, std::string("\xfe\xff\xff\xff\x01\x02\x00"
                               "Ax\x05left",
                               14));
}

TEST(Columns, AreReadBackAsTheyWereWritten) {
  const std::string bytes = Encoded({-2, true, {"Ax", 5}, "left"});
  Boat boat;
  ASSERT_TRUE(DecodeRow(bytes, &boat));
  EXPECT_EQ(boat.price, -2);
  EXPECT_TRUE(boat.sails);
  EXPECT_EQ(boat.maker.name, "Ax");
  EXPECT_EQ(boat.maker.stars, 5);
  EXPECT_EQ(boat.log, "left");
}

TEST(Columns, AreRefusedWhenBytesAreMissingOrLeftOver) {
  const std::string bytes = Encoded({1, false, {"Ax", 5}, ""});
  Boat boat;
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(DecodeRow(bytes.substr(0, cut), &boat)) << cut;
  }
  Maker maker;
  const std::string_view value(
      "\x02\x00"
      "Ax\x05!",
      6);
  EXPECT_FALSE(DecodeRow(value, &maker));
  EXPECT_TRUE(DecodeRow(value.substr(0, 5), &maker));
}

TEST(Columns, AreKnownWithoutTheirRow) {
  const std::vector<StoredColumn> columns = ColumnsOf<Boat>();
  ASSERT_EQ(columns.size(), 5U);
  EXPECT_EQ(columns[0].bytes, 4U);
  EXPECT_TRUE(columns[0].is_signed);
  EXPECT_EQ(columns[0].type.sql, "INT");
  EXPECT_EQ(columns[2].name, "maker");
  EXPECT_EQ(columns[2].bytes, 0U);
  EXPECT_EQ(columns[3].bytes, 1U);
  EXPECT_FALSE(columns[3].is_signed);
}

// harbour, name 0, berth; the newest last.
const Table& Berths() {
  static const Table table = {.name = "berths",
                              .server = "berths",
                              .prefix = "b_",
                              .key = {{"harbour", 1, "harbour", 9},
                                      {"name"},
                                      {"berth", 4, "berth", 300},
                                      {.name = "stay",
                                       .bytes = 4,
                                       .label = "stay",
                                       .largest_first = true}},
                              .columns = {}};
  return table;
}

std::string Key(char harbour, const std::string& name, char berth) {
  return harbour + name + std::string("\0\0\0\1", 4) + berth +
         "\xff\xff\xff\xfe";
}

TEST(Keys, HaveTheirPartsBeforeAndBehindATextOfAnyLength) {
  for (const std::string& name : {std::string(), std::string("Ann\0e", 5)}) {
    const std::string key = Key(3, name, 4);
    EXPECT_EQ(KeyFault(Berths(), key), "");
    EXPECT_EQ(PartOf(Berths(), key, 0), 3U);
    EXPECT_EQ(PartOf(Berths(), key, 2), 260U);
    EXPECT_EQ(PartOf(Berths(), key, 3), 1U);
    EXPECT_EQ(PlaceOf(Berths(), key), "harbour 3: berth 260: stay 1");
  }
}

TEST(Keys, HaveAFaultWhenTheyAreTooShortOrSayAnImpossibleNumber) {
  EXPECT_EQ(KeyFault(Berths(), "short"), "a key of 5 bytes");
  EXPECT_EQ(KeyFault(Berths(), Key(3, "Ann", 45)),
            "harbour 3: berth 301: stay 1: there can be no such row");
  EXPECT_EQ(KeyFault(Berths(), Key(0, "Ann", 4)),
            "harbour 0: berth 260: stay 1: there can be no such row");
  Table numbers = Berths();
  numbers.key.erase(numbers.key.begin() + 1);
  EXPECT_EQ(KeyFault(numbers, Key(3, "Ann", 4)), "a key of 13 bytes");
}

TEST(Keys, OfEightBytesAreOneNumber) {
  const Table table = {.name = "ids",
                       .server = "ids",
                       .prefix = "",
                       .key = {{"id", 8, "id"},
                               {.name = "time",
                                .bytes = 8,
                                .label = "time",
                                .largest_first = true}},
                       .columns = {}};
  const std::string key("\x01\0\0\0\0\0\0\x02\xff\xff\xff\xff\xff\xff\xff\xf0",
                        16);
  EXPECT_EQ(PlaceOf(table, key), "id 72057594037927938: time 15");
}

TEST(KeyRanges, EndBeforeTheFirstKeyBehindTheirLast) {
  EXPECT_EQ(KeyBehind("ab"), "ac");
  EXPECT_EQ(KeyBehind("a\xff\xff"), "b");
  EXPECT_EQ(KeyBehind("a\x7f"), "a\x80");
  EXPECT_EQ(KeyBehind("\xff"), "");
  EXPECT_EQ(KeyBehind(""), "");
}

TEST(RowReaders, NameWhatCannotBeARowAndCountAll) {
  const std::vector<Table> tables = {{.name = "makers",
                                      .server = "makers",
                                      .prefix = "",
                                      .key = {{"id", 1, "maker", 9}},
                                      .columns = ColumnsOf<Maker>()}};
  Findings findings;
  const RowReader<Id> reader(
      tables,
      [](Id /*id*/, const KeyRange& /*range*/, const Visit& visit) {
        visit("\1", std::string_view("\2\0Ax\5", 5));
        visit("\2", "x");
        visit("\x0a", std::string_view("\2\0Ax\5", 5));
        visit("long", "");
        return Status::Ok();
      },
      &findings);
  std::string read;
  reader.Read<Maker>({}, [&](std::string_view key, const Maker& maker) {
    read += key;
    read += maker.name;
  });
  EXPECT_EQ(read, "\1Ax");
  CheckResult result;
  ASSERT_TRUE(findings.Take(&result).ok());
  EXPECT_EQ(
      result.violations,
      (std::vector<std::string>{"makers: a key of 4 bytes",
                                "makers: maker 10: there can be no such row",
                                "makers: maker 2: the value does not decode"}));
  EXPECT_EQ(result.counted.front().second, 4U);
}

}  // namespace
}  // namespace waltax::table
