#include "driver/latency.h"

#include <cmath>

namespace waltax {

void Histogram::Merge(const Histogram& other) {
  if (other.count_ == 0) return;
  for (size_t i = 0; i < kSlots; ++i) slots_[i] += other.slots_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void Histogram::Clear() {
  if (count_ == 0) return;
  std::fill(slots_.begin(), slots_.end(), 0);
  count_ = 0;
  sum_ = 0;
  min_ = std::numeric_limits<uint64_t>::max();
  max_ = 0;
}

double Histogram::Mean() const {
  return count_ == 0 ? 0 : sum_ / static_cast<double>(count_);
}

uint64_t Histogram::Percentile(double percentile) const {
  const double rank = std::ceil(percentile / 100 * static_cast<double>(count_));
  const uint64_t wanted = std::max<uint64_t>(1, static_cast<uint64_t>(rank));
  uint64_t seen = 0;
  for (size_t slot = 0; slot < kSlots; ++slot) {
    seen += slots_[slot];
    if (seen >= wanted) return std::min(HighestValueOf(slot), max_);
  }
  return max_;
}

uint64_t Histogram::HighestValueOf(size_t slot) {
  if (slot < kSubBuckets) return slot;
  const uint64_t half = kSubBuckets / 2;
  const uint64_t bucket = slot / half - 1;
  const uint64_t sub_bucket = slot % half + half;
  return ((sub_bucket + 1) << bucket) - 1;
}

std::vector<std::pair<uint64_t, uint64_t>> Histogram::Counts() const {
  std::vector<std::pair<uint64_t, uint64_t>> counts;
  for (size_t slot = 0; slot < kSlots; ++slot) {
    if (slots_[slot] > 0) {
      counts.emplace_back(HighestValueOf(slot), slots_[slot]);
    }
  }
  return counts;
}

}  // namespace waltax
