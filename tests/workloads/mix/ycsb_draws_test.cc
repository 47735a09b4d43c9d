#include "workloads/mix/ycsb_draws.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "driver/random.h"

namespace waltax::mix {
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

// Of the original, under Java.
TEST(Fnv64, HashesNumbersAsTheOriginalDoes) {
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
TEST(Fnv64, HashesNumbersOf64Bits) {
  EXPECT_EQ(Fnv64(uint64_t{1} << 31), 5860980763039959109U);
  EXPECT_EQ(Fnv64(10'000'000'000), 1201321332300452516U);
  EXPECT_EQ(Fnv64(UINT64_MAX), 8289690350564177859U);
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

}  // namespace
}  // namespace waltax::mix
