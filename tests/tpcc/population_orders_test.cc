// The initial orders and what belongs to them.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/tpcc/population_fixture.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {
namespace {

class PopulationOrdersTest : public PopulationTest {};

TEST_F(PopulationOrdersTest,
       OrdersOnceForEachCustomerInAnotherOrderPerDistrict) {
  std::map<uint8_t, std::vector<uint32_t>> customers;
  Range carrier;
  Range lines;
  size_t wrong = 0;
  ForEach<Order>(Table::kOrder,
                 [&](const rocksdb::Slice& key, const Order& row) {
                   customers[DistrictOf(key)].push_back(row.c_id);
                   lines.Add(row.ol_cnt);
                   const bool delivered = NumberOf(key) < 2101;
                   if (delivered) carrier.Add(row.carrier_id);
                   if (delivered != (row.carrier_id != 0)) ++wrong;
                   if (row.entry_d != kLoadedAt || row.all_local != 1) ++wrong;
                 });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(carrier.Ends(), Ends(1, 10));
  EXPECT_EQ(lines.Ends(), Ends(5, 15));
  std::set<std::vector<uint32_t>> permutations;
  for (auto& [d, order] : customers) {
    permutations.insert(order);
    std::sort(order.begin(), order.end());
    for (uint32_t c = 1; c <= 3000; ++c) ASSERT_EQ(order[c - 1], c);
  }
  EXPECT_EQ(permutations.size(), 10U);
}

TEST_F(PopulationOrdersTest, HasTheLinesThatOrdersSay) {
  std::map<std::tuple<uint8_t, uint32_t>, int> lines;
  Range item;
  Range amount;
  size_t wrong = 0;
  ForEach<OrderLine>(
      Table::kOrderLine, [&](const rocksdb::Slice& key, const OrderLine& row) {
        const uint32_t o = NumberOf(key);
        const bool delivered = o < 2101;
        const int number = ++lines[{DistrictOf(key), o}];
        item.Add(row.i_id);
        if (!delivered) amount.Add(row.amount);
        const bool right = LineOf(key) == number && row.supply_w_id == 1 &&
                           row.quantity == 5 &&
                           row.delivery_d == (delivered ? kLoadedAt : 0) &&
                           (row.amount == 0) == delivered &&
                           HasText(row.dist_info, 24, 24);
        if (!right) ++wrong;
      });
  EXPECT_EQ(wrong, 0U);
  EXPECT_TRUE(item.Ends().first >= 1 && item.Ends().first < 20);
  EXPECT_TRUE(item.Ends().second <= 100'000 && item.Ends().second > 99'980);
  EXPECT_TRUE(amount.Ends().first >= 1 && amount.Ends().first < 200);
  EXPECT_TRUE(amount.Ends().second <= 999'999);
  EXPECT_TRUE(amount.Ends().second > 999'800);
  ForEach<Order>(Table::kOrder,
                 [&](const rocksdb::Slice& key, const Order& row) {
                   const int found = lines[{DistrictOf(key), NumberOf(key)}];
                   ASSERT_EQ(found, row.ol_cnt);
                 });
}

TEST_F(PopulationOrdersTest, LeavesTheLastNineHundredOrdersUndelivered) {
  std::map<uint8_t, Range> open;
  for (const auto& [key, value] : store_->rows(Table::kNewOrder)) {
    const uint32_t o = NumberOf(key);
    if (o != 0) {
      EXPECT_TRUE(value.empty());
      open[DistrictOf(key)].Add(o);
    } else {
      EXPECT_EQ(value, std::string("\x35\x08\0\0", 4));  // 2101
    }
  }
  for (uint8_t d = 1; d <= kDistricts; ++d) {
    EXPECT_EQ(open[d].Ends(), Ends(2101, 3000));
  }
}

}  // namespace
}  // namespace waltax::tpcc
