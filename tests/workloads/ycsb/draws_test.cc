#include "workloads/ycsb/draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "driver/random.h"

namespace waltax::ycsb {
namespace {

constexpr int kDraws = 400'000;

// Four standard errors of a share that was drawn so often.
double Chance(double share) {
  return 1e-9 + 4 * std::sqrt(share * (1 - share) / kDraws);
}

std::map<uint64_t, double> Shares(const std::function<uint64_t()>& draw) {
  std::map<uint64_t, double> shares;
  for (int i = 0; i < kDraws; ++i) shares[draw()] += 1.0 / kDraws;
  return shares;
}

TEST(HarmonicSum, IsTheOriginalsConstant) {
  EXPECT_DOUBLE_EQ(HarmonicSum(2, kZipfConstant), 1.5034777750283594);
  EXPECT_NEAR(HarmonicSum(10, kZipfConstant), 2.9561075165103636, 1e-12);
  EXPECT_NEAR(HarmonicSum(1000, kZipfConstant), 7.728953217284729, 1e-12);
  EXPECT_NEAR(HarmonicSum(1'000'000, kZipfConstant), 15.391849746037371, 1e-9);
}

TEST(ScrambledZipf, HasTheRanksAndTheRecordsOfTheOriginal) {
  struct Golden {
    double p;
    uint64_t rank, of_1000, of_100000;
  };
  const ScrambledZipf small(1001);
  const ScrambledZipf large(100'001);
  for (const Golden& golden :
       {Golden{.01, 0, 144, 42439}, Golden{.05, 1, 610, 91481},
        Golden{.1, 6, 942, 29960}, Golden{.25, 296, 809, 20917},
        Golden{.5, 134'552, 367, 14271}, Golden{.75, 42'924'421, 767, 42248}}) {
    EXPECT_EQ(small.Rank(golden.p), golden.rank) << golden.p;
    EXPECT_EQ(small.Quantile(golden.p), golden.of_1000) << golden.p;
    EXPECT_EQ(large.Quantile(golden.p), golden.of_100000) << golden.p;
  }
}

// Defect Y2: as flat as the original whatever the number of records is.
TEST(ScrambledZipf, IsAsFlatAsTheOriginal) {
  Random random(1);
  const ScrambledZipf zipf(1001);
  const auto shares = Shares([&] { return zipf.Draw(random); });
  EXPECT_NEAR(shares.at(144), .0386, Chance(.0386) + 5e-5);
  EXPECT_NEAR(shares.at(610), .0200, Chance(.0200) + 5e-5);
  EXPECT_NEAR(shares.at(213), .0160, Chance(.0160) + 5e-5);
  EXPECT_NEAR(shares.at(679), .0117, Chance(.0117) + 5e-5);
}

// Defect Y2: what a Zipf over the records is, and with other constants.
TEST(ExactZipf, DrawsEachRankWithItsProbability) {
  for (const double constant : {.5, .99, 1.0, 1.3, 2.0}) {
    for (const uint64_t n : {1U, 2U, 10U, 1000U}) {
      Random random(1);
      const ExactZipf zipf(n, constant);
      const double sum = HarmonicSum(n, constant);
      const auto shares = Shares([&] { return zipf.Draw(random); });
      EXPECT_LT(shares.rbegin()->first, n);
      for (const uint64_t rank : {0U, 1U, 2U, 9U}) {
        if (rank >= n) continue;
        const double share =
            1 / std::pow(static_cast<double>(rank + 1), constant) / sum;
        EXPECT_NEAR(shares.at(rank), share, Chance(share))
            << constant << " of " << n << ": rank " << rank;
      }
    }
  }
}

TEST(ExactZipf, GivesAHundredthOfTheRecordsWhatThePaperSays) {
  Random random(1);
  const ExactZipf zipf(100'000, .99);
  double hottest = 0;
  double hundredth = 0;
  for (const auto& [rank, share] : Shares([&] { return zipf.Draw(random); })) {
    if (rank == 0) hottest = share;
    if (rank < 1000) hundredth += share;
  }
  EXPECT_NEAR(hottest, .0783, Chance(.0783) + 5e-5);
  EXPECT_NEAR(hundredth, .605, Chance(.605) + 5e-4);
}

TEST(GrowingZipf, DrawsTheNewestAsOftenAsTheOriginal) {
  Random random(1);
  GrowingZipf zipf(999);
  const auto shares =
      Shares([&] { return zipf.Quantile(random.NextDouble(), 999); });
  EXPECT_NEAR(shares.at(0), .1294, Chance(.1294) + 5e-5);
  EXPECT_NEAR(shares.at(1), .065, Chance(.065) + 5e-4);
  EXPECT_LT(shares.rbegin()->first, 999U);
}

TEST(GrowingZipf, SumsUpWhatIsAdded) {
  GrowingZipf grown(999);
  grown.Quantile(.5, 2000);
  // Shares of the first two ranks hang on the sum alone.
  const double first = 1 / HarmonicSum(2000, kZipfConstant);
  EXPECT_EQ(grown.Quantile(first - 1e-9, 2000), 0U);
  EXPECT_EQ(grown.Quantile(first + 1e-9, 2000), 1U);
}

TEST(GrowingZipf, HasOneItemWhenThereIsOne) {
  GrowingZipf zipf(1);
  for (const double p : {0.0, .5, .999999}) EXPECT_EQ(zipf.Quantile(p, 1), 0U);
}

TEST(Exponential, HasTheMeanAndThePercentileOfTheOriginal) {
  Random random(1);
  const Exponential back(95, 1000 * .8571428571);
  double sum = 0;
  int inside = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double behind = back.Draw(random);
    sum += behind;
    inside += behind < 1000 * .8571428571 ? 1 : 0;
  }
  // Rounded down, so half a record less than the 286.1 of the draw itself.
  EXPECT_NEAR(sum / kDraws, 286.1 - .5, 4 * 286.1 / std::sqrt(kDraws));
  EXPECT_NEAR(static_cast<double>(inside) / kDraws, .95, Chance(.95));
}

TEST(Hotspot, GivesTheFirstRecordsTheirShare) {
  Random random(1);
  const Hotspot hotspot(1000, .2, .8);
  EXPECT_EQ(hotspot.hot(), 200U);
  double hot = 0;
  const auto shares = Shares([&] { return hotspot.Draw(random); });
  for (const auto& [number, share] : shares) hot += number < 200 ? share : 0;
  EXPECT_NEAR(hot, .8, Chance(.8));
  EXPECT_EQ(shares.size(), 1000U);
  EXPECT_NEAR(shares.at(0), .8 / 200, Chance(.8 / 200));
  EXPECT_NEAR(shares.at(999), .2 / 800, Chance(.2 / 800));
}

TEST(Lengths, OfScansHaveTheMeansOfTheOriginal) {
  Random random(1);
  const Lengths uniform(1, 100, false);
  const Lengths zipfian(1, 100, true);
  EXPECT_NEAR(uniform.Mean(), 50.5, .01);
  EXPECT_NEAR(uniform.Variance(), (100 * 100 - 1) / 12.0, 1);
  EXPECT_NEAR(zipfian.Mean(), 18.8, .1);
  const auto shares = Shares([&] { return zipfian.Draw(random); });
  EXPECT_NEAR(shares.at(1), .189, Chance(.189) + 5e-4);
  EXPECT_EQ(shares.rbegin()->first, 100U);
  EXPECT_EQ(Lengths(7, 7, true).Draw(random), 7U);
}

}  // namespace
}  // namespace waltax::ycsb
