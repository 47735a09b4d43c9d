#include "workloads/mix/shards/owner.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace waltax::mix {

constexpr uint64_t kSample = 65'536;  // rows whose keys show where to cut

nlohmann::json ToJson(const Cut& cut, const std::optional<uint64_t>& node) {
  if (!cut.sharded()) return nullptr;
  return {{"nodes", cut.nodes},
          {"owner", cut.owner},
          {"node", node ? nlohmann::json(*node) : nlohmann::json()}};
}

Owner::Owner(const Cut& cut, const Values& values)
    : before_(values.mix().tables[0].name + "."),
      nodes_(cut.nodes),
      by_range_(cut.owner == "range") {
  if (nodes_ == 1 || !by_range_) return;
  std::vector<std::string> keys(kSample);
  for (uint64_t i = 0; i < kSample; ++i) values.AppendTextKey(0, i, &keys[i]);
  std::sort(keys.begin(), keys.end());
  for (size_t node = 1; node < nodes_; ++node) {
    bounds_.push_back(keys[kSample / nodes_ * node]);
  }
}

size_t Owner::Of(std::string_view key) const {
  if (nodes_ == 1) return 0;
  if (by_range_) {
    const auto behind = std::upper_bound(bounds_.begin(), bounds_.end(), key);
    return static_cast<size_t>(behind - bounds_.begin());
  }
  thread_local std::string hashed;
  hashed.assign(before_).append(key);
  return std::hash<std::string>()(hashed) % nodes_;
}

}  // namespace waltax::mix
