// Latency histogram with three significant digits, laid out as HdrHistogram
// does (http://hdrhistogram.org), so that rows have it in its format.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace waltax {

// Counts of values by their leading 11 bits: 2048 slots of one unit each, then
// 1024 slots per further power of two. So values below 2048 are exact, and
// larger ones are off by less than 1 in 1024. The unit is the caller's:
// nanoseconds for latencies, rows for range sizes.
//
// Minimum, maximum and mean are exact. Not thread-safe.
class Histogram {
 public:
  // 137 s in nanoseconds. Larger values count in the last slot; only Max() and
  // Mean() still know them exactly.
  static constexpr uint64_t kHighestTrackable = (uint64_t{1} << 37) - 1;

  Histogram() : slots_(kSlots) {}

  void Record(uint64_t value) {
    ++slots_[SlotOf(std::min(value, kHighestTrackable))];
    ++count_;
    sum_ += static_cast<double>(value);
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }

  void Merge(const Histogram& other);
  void Clear();

  [[nodiscard]] uint64_t Count() const { return count_; }
  // 0 when empty, as are the following.
  [[nodiscard]] uint64_t Min() const { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] uint64_t Max() const { return max_; }
  [[nodiscard]] double Mean() const;
  // The largest value of the slot that holds the ceil(percentile / 100 *
  // Count())-th smallest value, never more than Max().
  // REQUIRES: 0 <= percentile <= 100.
  [[nodiscard]] uint64_t Percentile(double percentile) const;

  // The largest value of each slot that holds any, and how many it holds.
  [[nodiscard]] std::vector<std::pair<uint64_t, uint64_t>> Counts() const;

 private:
  static constexpr int kSubBucketBits = 11;
  static constexpr uint64_t kSubBuckets = 1 << kSubBucketBits;
  static constexpr int kBuckets = 37 - kSubBucketBits + 1;
  static constexpr size_t kSlots = (kBuckets + 1) * kSubBuckets / 2;

  // The power of two that takes `value` below kSubBuckets, and the value in it.
  static size_t SlotOf(uint64_t value) {
    const int bucket =
        64 - kSubBucketBits - std::countl_zero(value | (kSubBuckets - 1));
    return (static_cast<size_t>(bucket) << (kSubBucketBits - 1)) +
           (value >> bucket);
  }
  static uint64_t HighestValueOf(size_t slot);

  std::vector<uint64_t> slots_;
  uint64_t count_ = 0;
  double sum_ = 0;  // exact below 2^53, which is 104 days of nanoseconds
  uint64_t min_ = std::numeric_limits<uint64_t>::max();
  uint64_t max_ = 0;
};

}  // namespace waltax
