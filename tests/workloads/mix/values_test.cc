#include "workloads/mix/values.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/workloads/mix/example.h"
#include "workloads/mix/codec.h"

namespace waltax::mix {
namespace {

TEST(MixValues, EveryKeyNamesItsRow) {
  const Mix mix = ReadWhole(kExample);
  const Values values(mix, 7);
  for (size_t table = 0; table < mix.tables.size(); ++table) {
    std::set<uint64_t> keys;
    for (uint64_t row = 0; row < 1000; ++row) {
      keys.insert(values.KeyOf(table, row));
      EXPECT_EQ(values.NumberOf(table, values.KeyOf(table, row)), row);
    }
    EXPECT_EQ(keys.size(), 1000);
  }
}

TEST(MixValues, ATextIsKnownByItsRowAndTornOnesAreNot) {
  const Mix mix = ReadWhole(kExample);
  const Values values(mix, 7);
  Row row;
  for (uint64_t number = 0; number < 50; ++number) {
    values.Make(0, number, 12345, &row);
    for (const size_t column : {0, 2}) {
      std::string text(row.cells[column].text);
      EXPECT_EQ(values.StampOf(0, column, number, text), 12345);
      EXPECT_FALSE(values.StampOf(0, column, number + 1, text));
      text.back() ^= 1;
      EXPECT_FALSE(values.StampOf(0, column, number, text));
      text.pop_back();
      EXPECT_FALSE(values.StampOf(0, column, number, text));
    }
  }
}

TEST(MixValues, TextsHaveTheSizesOfTheirFile) {
  const Mix mix = ReadWhole(kExample);
  const Values values(mix, 7);
  Row row;
  double name = 0;
  double photo = 0;
  double about = 0;
  constexpr uint64_t kRows = 20'000;
  for (uint64_t number = 0; number < kRows; ++number) {
    values.Make(0, number, kLoaded, &row);
    name += static_cast<double>(row.cells[0].text.size());
    photo += static_cast<double>(row.cells[2].text.size());
    values.Make(1, number, kLoaded, &row);
    about += static_cast<double>(row.cells[2].text.size());
  }
  EXPECT_NEAR(name / kRows, 40, .5);
  EXPECT_NEAR(photo / kRows, 80, .8);
  EXPECT_NEAR(about / kRows, 72.5, 2.5);
}

TEST(MixValues, AShareOfATextRepeatsTheRest) {
  Column column;
  column.type = Type::kBytes;
  column.size.low = column.size.high = 111;
  column.compressibility = .75;
  Mix mix;
  mix.tables.emplace_back().columns = {column};
  const Values values(mix, 7);
  Row row;
  values.Make(0, 3, kLoaded, &row);
  const std::string_view drawn = row.cells[0].text.substr(11);
  EXPECT_EQ(drawn.substr(0, 75), drawn.substr(25));
  EXPECT_NE(drawn.substr(0, 10), drawn.substr(10, 10));
}

TEST(MixCodec, RowsAndEntriesComeBackAndSortAsTheirNumbers) {
  const Mix mix = ReadWhole(kExample);
  const Values values(mix, 7);
  const Codec codec(values);
  std::string key;
  std::string value;
  for (size_t table = 0; table < mix.tables.size(); ++table) {
    Row row;
    Row back;
    uint64_t number = 0;
    for (uint64_t i = 0; i < 100; ++i) {
      values.Make(table, i, kLoaded, &row);
      codec.EncodeKey(table, i, &key);
      codec.EncodeValue(table, row, &value);
      ASSERT_TRUE(codec.DecodeKey(table, key, &number));
      EXPECT_EQ(number, i);
      ASSERT_TRUE(codec.DecodeValue(table, i, value, &back));
      for (size_t column = 0; column < row.cells.size(); ++column) {
        const Column& what = mix.tables[table].columns[column];
        if (what.type == Type::kInt) {
          EXPECT_EQ(back.cells[column].number, row.cells[column].number);
        } else {
          EXPECT_EQ(back.cells[column].text, row.cells[column].text);
        }
      }
      EXPECT_FALSE(codec.DecodeValue(table, i, value + "x", &back) &&
                   values.StampOf(table, mix.tables[table].columns.size() - 1,
                                  i, back.cells.back().text));
    }
    LoadParts parts(values);
    parts.Add(table, kNone, UINT64_MAX);
    std::string last;
    for (size_t i = 0; i < parts.size(); ++i) {
      parts.ForAll(parts[i], [&](uint64_t each, const Row&) {
        codec.EncodeKey(table, each, &key);
        EXPECT_LT(last, key);
        last = key;
        return true;
      });
    }
  }
  Cell low = {-3, {}};
  Cell high = {2, {}};
  std::string first;
  std::string second;
  Codec::AppendOrdered(mix.tables[0].columns[1], low, &first);
  Codec::AppendOrdered(mix.tables[0].columns[1], high, &second);
  EXPECT_EQ(first.size(), 4);
  EXPECT_LT(first, second);
}

}  // namespace
}  // namespace waltax::mix
