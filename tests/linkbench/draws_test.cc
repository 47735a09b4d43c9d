#include "linkbench/draws.h"

#include <gtest/gtest.h>

#include <set>

#include "driver/random.h"
#include "linkbench/shuffle.h"

namespace waltax::linkbench {
namespace {

std::vector<uint64_t> FirstFour(int64_t seed, uint64_t n) {
  const Shuffle shuffle(seed, n);
  return {shuffle.Permute(0), shuffle.Permute(1), shuffle.Permute(2),
          shuffle.Permute(3)};
}

using Ranks = std::vector<uint64_t>;

// What the original draws besides shuffles, to reproduce recorded values.
class OriginalRandom : public JavaRandom {
 public:
  using JavaRandom::JavaRandom;
  double NextDouble() {
    const int64_t high = static_cast<int64_t>(Next(26)) << 27;
    return static_cast<double>(high + Next(27)) * 0x1.0p-53;
  }
  double NextGaussian() { return gaussian_.Next(*this); }

 private:
  PolarGaussian gaussian_;
};

TEST(Shuffle, PutsTheHottestNodesWhereTheOriginalDoes) {
  EXPECT_EQ(FirstFour(kDegreeShuffleSeed, 100'000),
            (Ranks{14336, 59393, 43010, 35843}));
  EXPECT_EQ(FirstFour(kUncorrelatedShuffleSeed, 100'000),
            (Ranks{86016, 22529, 19458, 20483}));
  EXPECT_EQ(FirstFour(kNodeShuffleSeed, 100'000),
            (Ranks{88064, 34817, 63490, 12291}));
  EXPECT_EQ(FirstFour(kDegreeShuffleSeed, 1'000'000),
            (Ranks{389120, 512001, 686082, 348163}));
  EXPECT_EQ(FirstFour(kDegreeShuffleSeed, 10'000'000),
            (Ranks{355328, 5764097, 1769474, 6482947}));
}

TEST(Shuffle, IsAPermutationWithAnInverse) {
  for (const uint64_t n : {1ULL, 2ULL, 1000ULL, 1024ULL, 1025ULL, 12'345ULL}) {
    const Shuffle shuffle(kDegreeShuffleSeed, n);
    std::set<uint64_t> seen;
    for (uint64_t i = 0; i < n; ++i) {
      seen.insert(shuffle.Permute(i));
      ASSERT_EQ(shuffle.Inverse(shuffle.Permute(i)), i) << n;
    }
    EXPECT_EQ(seen.size(), n);
    EXPECT_LT(*seen.rbegin(), n);
  }
}

Ranks Quantiles(const Zipf& zipf) {
  Ranks ranks;
  for (const double p : {.01, .1, .5, .9, .999}) {
    ranks.push_back(zipf.Quantile(p) + 1);
  }
  return ranks;
}

TEST(Zipf, HasTheQuantilesOfTheOriginal) {
  EXPECT_EQ(Quantiles(OriginalZipf(100'000, .8)),
            (Ranks{1, 17, 4661, 61830, 99543}));
  EXPECT_EQ(Quantiles(OriginalZipf(10'000'000, .8)),
            (Ranks{2, 370, 367881, 6014516, 9951752}));
  EXPECT_EQ(Quantiles(OriginalZipf(100'000, .625)),
            (Ranks{3, 266, 16132, 75709, 99736}));
}

TEST(Zipf, StaysInsideTinyGraphs) {
  for (const uint64_t n : {1ULL, 2ULL, 3ULL}) {
    const Zipf zipf = OriginalZipf(n, .8);
    for (double p = 0; p < 1; p += 0.001) ASSERT_LT(zipf.Quantile(p), n);
  }
}

TEST(Geometric, StartsAtTwoAsInTheOriginal) {
  const Geometric sizes(1, 128, .382);
  EXPECT_EQ(sizes.Quantile(0), 1U);
  EXPECT_EQ(sizes.Quantile(.1), 2U);
  EXPECT_EQ(sizes.Quantile(.5), 3U);
  EXPECT_EQ(sizes.Quantile(.9), 6U);
  EXPECT_EQ(sizes.Quantile(.99), 11U);
  EXPECT_EQ(sizes.Quantile(1 - 1e-16), 78U);
  EXPECT_EQ(Geometric(1, 16, .382).Quantile(1 - 1e-16), 15U);
}

TEST(LogNormal, DrawsTheSizesOfTheOriginal) {
  OriginalRandom random(42);
  const LogNormal sizes(8, kMaxLinkBytes);
  Ranks drawn;
  for (int i = 0; i < 10; ++i) drawn.push_back(sizes.Draw(random));
  EXPECT_EQ(drawn, (Ranks{25, 20, 3, 3, 11, 16, 4, 2, 7, 35}));
}

TEST(MotifPayload, WritesTheBytesOfTheOriginal) {
  OriginalRandom random(42);
  MotifPayload payload({32, 100, .225});
  std::string bytes;
  payload.Fill(random, 20, &bytes);
  EXPECT_EQ(bytes, ";)X>$%4'.7FP5[=A/N^.");
}

TEST(MotifPayload, KeepsToItsBytesAndUsesAllOfThem) {
  Random random(1);
  MotifPayload payload({50, 220, 1});
  std::string bytes;
  payload.Fill(random, 171'000, &bytes);
  std::vector<int> seen(256);
  for (const char byte : bytes) ++seen[static_cast<uint8_t>(byte)];
  for (int byte = 0; byte < 256; ++byte) {
    if (byte < 50 || byte > 220) {
      EXPECT_EQ(seen[byte], 0) << byte;
    } else {
      EXPECT_NEAR(seen[byte], 1000, 180) << byte;
    }
  }
}

}  // namespace
}  // namespace waltax::linkbench
