#include "tpcc/draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <vector>

namespace waltax::tpcc {
namespace {

constexpr uint64_t kPicks = 4'000'000;

// How often each value of a field was drawn, the most frequent first.
class Picks {
 public:
  Picks(const NuRandField& field, uint32_t c)
      : counts_(field.high - field.low + 1) {
    Random random(7);
    for (uint64_t i = 0; i < kPicks; ++i) {
      ++counts_[field.Draw(random, c) - field.low];
    }
    std::sort(counts_.begin(), counts_.end(), std::greater<>());
  }
  // Of all draws, in percent, what the most frequent values got.
  [[nodiscard]] double ShareOfTopPercent(size_t percent) const {
    const auto top = static_cast<long>(counts_.size() * percent / 100);
    const uint64_t picks =
        std::accumulate(counts_.begin(), counts_.begin() + top, uint64_t{0});
    return 100. * static_cast<double>(picks) / kPicks;
  }
  [[nodiscard]] double MaxOverMean() const {
    return static_cast<double>(counts_.front()) *
           static_cast<double>(counts_.size()) / kPicks;
  }
  [[nodiscard]] double PercentNeverDrawn() const {
    const auto never = std::count(counts_.begin(), counts_.end(), 0U);
    return 100. * static_cast<double>(never) /
           static_cast<double>(counts_.size());
  }

 private:
  std::vector<uint64_t> counts_;
};

TEST(NuRand, SkewsItemsAsTheClauseDoes) {
  const Picks items(kItemField, 4711);
  EXPECT_NEAR(items.ShareOfTopPercent(1), 30.6, 0.4);
  EXPECT_NEAR(items.ShareOfTopPercent(10), 71.7, 0.4);
  EXPECT_NEAR(items.MaxOverMean(), 196, 10);
  EXPECT_NEAR(items.PercentNeverDrawn(), 13, 2);
}

TEST(NuRand, SkewsCustomersAsTheClauseDoes) {
  const Picks customers(kCustomerField, 321);
  EXPECT_NEAR(customers.ShareOfTopPercent(1), 22.2, 0.3);
  EXPECT_NEAR(customers.ShareOfTopPercent(10), 61.5, 0.3);
  EXPECT_NEAR(customers.MaxOverMean(), 57.5, 2);
}

TEST(NuRand, SkewsLastNamesAsTheClauseDoes) {
  const Picks names(kLastNameField, 99);
  EXPECT_NEAR(names.ShareOfTopPercent(1), 14.8, 0.2);
  EXPECT_NEAR(names.MaxOverMean(), 25.6, 1);
}

TEST(NuRand, OnlyShiftsWhatIsFrequentWithAnotherConstant) {
  EXPECT_NEAR(Picks(kCustomerField, 0).ShareOfTopPercent(1),
              Picks(kCustomerField, 1023).ShareOfTopPercent(1), 0.2);
  Random a(5);
  Random b(5);
  for (int i = 0; i < 1000; ++i) {
    const uint32_t drawn = kCustomerField.Draw(a, 10);
    EXPECT_EQ(kCustomerField.Draw(b, 11), drawn % 3000 + 1);
  }
}

TEST(NuRand, StaysWithinTheBoundsOfTheField) {
  Random random(3);
  std::set<uint32_t> drawn;
  for (int i = 0; i < 100'000; ++i) {
    drawn.insert(kLastNameField.Draw(random, 255));
  }
  EXPECT_EQ(*drawn.begin(), 0U);
  EXPECT_EQ(*drawn.rbegin(), 999U);
}

TEST(NuRandConstants, KeepTheLastNamesOfARunApartFromThoseOfTheLoad) {
  for (uint32_t load = 0; load <= 255; ++load) {
    std::set<uint32_t> deltas;
    for (uint64_t seed = 0; seed < 500; ++seed) {
      const uint32_t run = DrawNuRandConstants(seed, load).last_name;
      ASSERT_LE(run, 255U);
      deltas.insert(load > run ? load - run : run - load);
    }
    EXPECT_GE(*deltas.begin(), 65U) << load;
    EXPECT_LE(*deltas.rbegin(), 119U) << load;
    EXPECT_FALSE(deltas.contains(96)) << load;
    EXPECT_FALSE(deltas.contains(112)) << load;
    EXPECT_GT(deltas.size(), 10U) << load;
  }
}

TEST(NuRandConstants, FollowFromTheSeed) {
  const NuRandConstants one = DrawNuRandConstants(1, 100);
  const NuRandConstants again = DrawNuRandConstants(1, 100);
  const NuRandConstants other = DrawNuRandConstants(2, 100);
  EXPECT_EQ(one.item, again.item);
  EXPECT_EQ(one.customer, again.customer);
  EXPECT_EQ(one.last_name, again.last_name);
  EXPECT_NE(one.item, other.item);
}

}  // namespace
}  // namespace waltax::tpcc
