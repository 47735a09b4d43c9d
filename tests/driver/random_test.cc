#include "driver/random.h"

#include <gtest/gtest.h>

#include <set>

namespace waltax {
namespace {

TEST(Random, RepeatsItselfForTheSameSeedAndStream) {
  Random one(42, 3);
  Random two(42, 3);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(one.Next(), two.Next());
}

TEST(Random, StreamsAndSeedsShareNoValue) {
  std::set<uint64_t> seen;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    for (uint64_t stream = 0; stream < 4; ++stream) {
      Random random(seed, stream);
      for (int i = 0; i < 1000; ++i) seen.insert(random.Next());
    }
  }
  EXPECT_EQ(seen.size(), 16'000U);
}

TEST(Random, IntegersFillTheirRangeEvenly) {
  Random random(1);
  constexpr int kDraws = 100'000;
  int counts[10] = {};
  for (int i = 0; i < kDraws; ++i) {
    const uint64_t value = random.NextInt(10);
    ASSERT_LT(value, 10U);
    ++counts[value];
  }
  // Five standard deviations of a binomial count.
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 10, 475);
}

TEST(Random, DoublesLieInTheUnitIntervalWithMeanOneHalf) {
  Random random(2);
  double sum = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double value = random.NextDouble();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(Random, GaussiansHaveMeanZeroAndVarianceOne) {
  Random random(3);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double value = random.NextGaussian();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 100'000, 0, 0.016);
  EXPECT_NEAR(squares / 100'000, 1, 0.023);
}

}  // namespace
}  // namespace waltax
