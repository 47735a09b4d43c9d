#include "driver/latency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "driver/random.h"

namespace waltax {
namespace {

// Latencies from 100 ns to 100 s, every power of ten as likely.
std::vector<uint64_t> LogUniformValues(size_t count, uint64_t seed) {
  Random random(seed);
  std::vector<uint64_t> values(count);
  for (auto& value : values) {
    value = static_cast<uint64_t>(std::pow(10, 2 + 9 * random.NextDouble()));
  }
  return values;
}

Histogram HistogramOf(const std::vector<uint64_t>& values) {
  Histogram histogram;
  for (const uint64_t value : values) histogram.Record(value);
  return histogram;
}

TEST(Histogram, IsZeroWhenEmpty) {
  const Histogram histogram;
  EXPECT_EQ(histogram.Count(), 0U);
  EXPECT_EQ(histogram.Min(), 0U);
  EXPECT_EQ(histogram.Max(), 0U);
  EXPECT_EQ(histogram.Mean(), 0);
  EXPECT_EQ(histogram.Percentile(99), 0U);
}

TEST(Histogram, KeepsValuesBelow2048Exactly) {
  for (uint64_t value = 0; value < 2048; ++value) {
    Histogram histogram;
    histogram.Record(value);
    histogram.Record(1'000'000);
    EXPECT_EQ(histogram.Percentile(50), value);
  }
}

TEST(Histogram, ReportsMinimumMaximumAndMeanExactly) {
  const Histogram histogram = HistogramOf({123'457, 99'999'999'999, 101});
  EXPECT_EQ(histogram.Min(), 101U);
  EXPECT_EQ(histogram.Max(), 99'999'999'999U);
  EXPECT_DOUBLE_EQ(histogram.Mean(), (123'457 + 99'999'999'999.0 + 101) / 3);
}

TEST(Histogram, PercentilesAreWithinAThousandthOfTheSortedValue) {
  std::vector<uint64_t> values = LogUniformValues(100'000, 1);
  const Histogram histogram = HistogramOf(values);
  std::sort(values.begin(), values.end());
  for (const double percentile : {0.0, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9}) {
    const double rank = std::ceil(percentile / 100 * 100'000);
    const uint64_t exact = values[std::max<size_t>(1, rank) - 1];
    const uint64_t found = histogram.Percentile(percentile);
    EXPECT_GE(found, exact) << percentile;
    EXPECT_LE(found - exact, exact / 1000) << percentile;
  }
  EXPECT_EQ(histogram.Percentile(100), values.back());
}

TEST(Histogram, MergingEqualsRecordingTogether) {
  std::vector<uint64_t> values = LogUniformValues(1000, 2);
  const std::vector<uint64_t> others = LogUniformValues(500, 3);
  Histogram merged = HistogramOf(values);
  merged.Merge(HistogramOf(others));
  merged.Merge(Histogram());
  values.insert(values.end(), others.begin(), others.end());
  const Histogram together = HistogramOf(values);
  EXPECT_EQ(merged.Counts(), together.Counts());
  EXPECT_EQ(merged.Count(), 1500U);
  EXPECT_EQ(merged.Min(), together.Min());
  EXPECT_EQ(merged.Max(), together.Max());
}

TEST(Histogram, IsEmptyAfterClear) {
  Histogram histogram = HistogramOf({5, 5'000'000});
  histogram.Clear();
  EXPECT_TRUE(histogram.Counts().empty());
  histogram.Record(7);
  EXPECT_EQ(histogram.Min(), 7U);
  EXPECT_EQ(histogram.Max(), 7U);
}

TEST(Histogram, CountsValuesBeyondItsRangeInTheLastSlot) {
  const uint64_t beyond = 4 * Histogram::kHighestTrackable;
  const Histogram histogram = HistogramOf({beyond});
  EXPECT_EQ(histogram.Max(), beyond);
  EXPECT_EQ(histogram.Percentile(50), Histogram::kHighestTrackable);
}

TEST(Histogram, CountsSlotsByTheirLargestValues) {
  using Counts = std::vector<std::pair<uint64_t, uint64_t>>;
  EXPECT_EQ(HistogramOf({7, 2048, 7, 2049, 2050}).Counts(),
            (Counts{{7, 2}, {2049, 2}, {2051, 1}}));
}

}  // namespace
}  // namespace waltax
