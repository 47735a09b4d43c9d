#include "workloads/ycsb/shards/owner.h"

#include <algorithm>
#include <functional>

namespace waltax::ycsb {

namespace {

constexpr int kMostDigits = 19;                            // of a hash
constexpr uint64_t kHashes = uint64_t{1} << 63;            // from 0 on
constexpr uint64_t kPlaces = 10'000'000'000'000'000'000U;  // of 19 digits
constexpr std::string_view kStudyTable = "usertable.";

// How many hashes have a key before that of 19 digits `place`. A key of fewer
// digits stands where it would with zeros behind it.
uint64_t HashesBefore(uint64_t place, int zeropadding) {
  const int fewest = std::min(zeropadding, kMostDigits);
  uint64_t scale = 1;  // of a hash of so many digits
  uint64_t end = kHashes;
  uint64_t before = 0;
  for (int digits = kMostDigits; digits >= fewest; --digits) {
    const uint64_t first = digits == fewest ? 0 : kPlaces / scale / 10;
    const uint64_t smaller = place / scale + (place % scale == 0 ? 0 : 1);
    before += std::clamp(smaller, first, end) - first;
    end = first;
    scale *= 10;
  }
  return before;
}

// The first place with so many hashes before it.
uint64_t PlaceBehind(uint64_t hashes, int zeropadding) {
  uint64_t low = 0;
  uint64_t high = kPlaces;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (HashesBefore(middle, zeropadding) < hashes) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

Owner::Owner(const ShardOptions& shards, const KeyFormat& keys)
    : nodes_(shards.nodes), by_range_(shards.owner == "range") {
  const KeyFormat whole = {true, std::max(keys.zeropadding, kMostDigits)};
  for (uint64_t node = 1; by_range_ && node < nodes_; ++node) {
    whole.Write(PlaceBehind(kHashes / nodes_ * node, keys.zeropadding),
                &bounds_.emplace_back());
  }
}

size_t Owner::Of(std::string_view key) const {
  if (nodes_ == 1) return 0;
  if (by_range_) {
    const auto behind = std::upper_bound(bounds_.begin(), bounds_.end(), key);
    return static_cast<size_t>(behind - bounds_.begin());
  }
  thread_local std::string hashed;
  hashed.assign(kStudyTable).append(key);
  return std::hash<std::string>()(hashed) % nodes_;
}

}  // namespace waltax::ycsb
