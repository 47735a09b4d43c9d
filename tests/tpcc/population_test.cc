#include "tpcc/population.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/tpcc/population_fixture.h"
#include "tests/tpcc/row_store.h"
#include "tpcc/draws.h"
#include "tpcc/keys.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {
namespace {

TEST(LastName, SpellsThreeDigitsInSyllables) {
  EXPECT_EQ(LastName(371), "PRICALLYOUGHT");  // the example of clause 4.3.2.3
  EXPECT_EQ(LastName(0), "BARBARBAR");
  EXPECT_EQ(LastName(999), "EINGEINGEING");
  std::set<std::string_view> names;
  for (uint32_t number = 0; number < kLastNames; ++number) {
    names.insert(LastName(number));
  }
  EXPECT_EQ(names.size(), kLastNames);
}

TEST_F(PopulationTest, HasTheCardinalitiesOfTheClause) {
  EXPECT_EQ(Count(Table::kWarehouse), 1U);
  EXPECT_EQ(Count(Table::kDistrict), 10U);
  EXPECT_EQ(Count(Table::kCustomer), 30'000U);
  EXPECT_EQ(Count(Table::kCustomerByName), 30'000U);
  EXPECT_EQ(Count(Table::kHistory), 30'000U);
  EXPECT_EQ(Count(Table::kOrder), 30'000U);
  EXPECT_EQ(Count(Table::kOrderByCustomer), 30'000U);
  EXPECT_EQ(Count(Table::kNewOrder), 9'010U);  // and ten low-water marks
  EXPECT_NEAR(static_cast<double>(Count(Table::kOrderLine)), 300'000, 3'000);
  EXPECT_EQ(Count(Table::kItem), 100'000U);
  EXPECT_EQ(Count(Table::kStock), 100'000U);
}

TEST_F(PopulationTest, GivesWarehouseAndDistrictsTheirFirstSums) {
  ForEach<Warehouse>(Table::kWarehouse, [](const auto&, const Warehouse& row) {
    EXPECT_EQ(row.ytd, 30'000'000);
    EXPECT_TRUE(row.tax >= 0 && row.tax <= 2000);
    EXPECT_TRUE(HasText(row.name, 6, 10));
    EXPECT_TRUE(IsAddress(row.address));
  });
  ForEach<District>(Table::kDistrict, [](const auto&, const District& row) {
    EXPECT_EQ(row.ytd, 3'000'000);
    EXPECT_EQ(row.next_o_id, 3001U);
    EXPECT_TRUE(row.tax >= 0 && row.tax <= 2000);
    EXPECT_TRUE(HasText(row.name, 6, 10));
    EXPECT_TRUE(IsAddress(row.address));
  });
}

bool IsFirstCustomer(const Customer& row) {
  return row.balance == -1000 && row.ytd_payment == 1000 &&
         row.payment_cnt == 1 && row.delivery_cnt == 0 &&
         row.credit_lim == 5'000'000 && row.since == kLoadedAt &&
         row.middle == "OE" && HasText(row.first, 8, 16) &&
         row.phone.size() == 16 && IsNumeric(row.phone) &&
         IsAddress(row.address) && HasText(row.data, 300, 500);
}

TEST_F(PopulationTest, DrawsCustomersAsTheClauseSays) {
  Range discount;
  Range data;
  size_t wrong = 0;
  std::map<uint8_t, int> bad_credit;  // by district
  ForEach<Customer>(
      Table::kCustomer, [&](const rocksdb::Slice& key, const Customer& row) {
        discount.Add(row.discount);
        data.Add(static_cast<int64_t>(row.data.size()));
        if (row.credit == "BC") ++bad_credit[DistrictOf(key)];
        const bool known = row.credit == "BC" || row.credit == "GC";
        if (!known || !IsFirstCustomer(row)) ++wrong;
      });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(discount.Ends(), Ends(0, 5000));
  EXPECT_EQ(data.Ends(), Ends(300, 500));
  for (uint8_t d = 1; d <= kDistricts; ++d) EXPECT_EQ(bad_credit[d], 300);
}

TEST_F(PopulationTest, NamesTheFirstThousandInTurnAndTheRestBySkewedDraws) {
  std::vector<int> drawn(kLastNames);
  size_t wrong = 0;
  std::map<std::string_view, uint32_t> numbers;
  for (uint32_t i = 0; i < kLastNames; ++i) numbers[LastName(i)] = i;
  ForEach<Customer>(Table::kCustomer,
                    [&](const rocksdb::Slice& key, const Customer& row) {
                      const uint32_t c = NumberOf(key);
                      if (c > kLastNames) {
                        ++drawn[numbers.at(row.last)];
                      } else if (row.last != LastName(c - 1)) {
                        ++wrong;
                      }
                    });
  EXPECT_EQ(wrong, 0U);
  // NURand(255, 0, 999) prefers numbers whose low 8 bits are all ones, moved on
  // by C-Load.
  const uint32_t hottest = (767 + LastNameConstant(7)) % kLastNames;
  std::vector<int> sorted = drawn;
  std::sort(sorted.rbegin(), sorted.rend());
  EXPECT_GE(drawn[hottest], sorted[3]);
  const double top = (sorted[0] + sorted[1] + sorted[2]) / 20'000.0;
  EXPECT_GT(top, 0.04);  // a uniform draw has 0.003
}

TEST_F(PopulationTest, PaysTenDollarsForEachCustomer) {
  size_t wrong = 0;
  ForEach<History>(
      Table::kHistory, [&](const rocksdb::Slice& key, const History& row) {
        const bool right = row.w_id == 1 && row.d_id == DistrictOf(key) &&
                           GetBigEndian<uint32_t>(key.data() + 9) == 1 &&
                           row.date == kLoadedAt && row.amount == 1000 &&
                           HasText(row.data, 12, 24);
        if (!right) ++wrong;
      });
  EXPECT_EQ(wrong, 0U);
}

TEST_F(PopulationTest, StocksEveryItem) {
  Range quantity;
  Range data;
  size_t original = 0;
  size_t wrong = 0;
  ForEach<Stock>(Table::kStock, [&](const auto&, const Stock& row) {
    quantity.Add(row.quantity);
    data.Add(static_cast<int64_t>(row.data.size()));
    if (row.data.find("ORIGINAL") != std::string_view::npos) ++original;
    const bool right = row.ytd == 0 && row.order_cnt == 0 &&
                       row.remote_cnt == 0 && HasText(row.dists, 240, 240) &&
                       HasText(row.data, 26, 50);
    if (!right) ++wrong;
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(quantity.Ends(), Ends(10, 100));
  EXPECT_EQ(data.Ends(), Ends(26, 50));
  EXPECT_EQ(original, 10'000U);
}

TEST_F(PopulationTest, HasItemsOfWhichATenthIsOriginal) {
  Range image;
  Range price;
  Range name;
  std::set<size_t> places;  // of the mark
  size_t original = 0;
  size_t wrong = 0;
  ForEach<Item>(Table::kItem, [&](const auto&, const Item& row) {
    image.Add(row.im_id);
    price.Add(row.price);
    name.Add(static_cast<int64_t>(row.name.size()));
    const size_t place = row.data.find("ORIGINAL");
    if (place != std::string_view::npos) {
      ++original;
      places.insert(place);
    }
    if (!HasText(row.name, 14, 24) || !HasText(row.data, 26, 50)) ++wrong;
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(original, 10'000U);
  EXPECT_EQ(places.size(), 43U);  // 0 to 50 - 8
  EXPECT_EQ(name.Ends(), Ends(14, 24));
  EXPECT_TRUE(image.Ends().first >= 1 && image.Ends().second <= 10'000);
  EXPECT_TRUE(price.Ends().first >= 100 && price.Ends().first < 110);
  EXPECT_TRUE(price.Ends().second <= 10'000 && price.Ends().second > 9'990);
}

TEST_F(PopulationTest, UsesEveryLetterAndDigitEquallyOften) {
  std::map<char, double> seen;
  double letters = 0;
  ForEach<Item>(Table::kItem, [&](const auto&, const Item& row) {
    for (const char letter : row.name) ++seen[letter];
    letters += static_cast<double>(row.name.size());
  });
  EXPECT_EQ(seen.size(), 62U);
  for (const auto& [letter, times] : seen) {
    EXPECT_NEAR(times / letters, 1 / 62.0, 0.02 / 62) << letter;
  }
}

TEST_F(PopulationTest, IsTheSameForTheSameSeedAndTime) {
  const RowStore again({1, 7, kLoadedAt});
  const RowStore other({1, 8, kLoadedAt});
  for (size_t i = 0; i < kTables; ++i) {
    const auto table = static_cast<Table>(i);
    EXPECT_TRUE(store_->rows(table) == again.rows(table)) << Tables()[i].name;
    if (table == Table::kNewOrder) continue;  // has nothing random
    EXPECT_TRUE(store_->rows(table) != other.rows(table)) << Tables()[i].name;
  }
}

TEST_F(PopulationTest, HasTheSameWarehouseHoweverManyOthersThereAre) {
  const RowStore two({2, 7, kLoadedAt});
  for (size_t i = 0; i < kTables; ++i) {
    for (const auto& [key, value] : store_->rows(static_cast<Table>(i))) {
      const auto& rows = two.rows(static_cast<Table>(i));
      const auto found = rows.find(key);
      ASSERT_TRUE(found != rows.end() && found->second == value);
    }
  }
  const auto first = two.Get<Stock>(Table::kStock, KeyOfStock(1, 5).slice());
  const auto second = two.Get<Stock>(Table::kStock, KeyOfStock(2, 5).slice());
  EXPECT_NE(first.dists, second.dists);
}

}  // namespace
}  // namespace waltax::tpcc
