#include "workloads/mix/shards/owner.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace waltax::mix {

namespace {

constexpr int kMostDigits = 19;                            // of a hash
constexpr uint64_t kHashes = uint64_t{1} << 63;            // from 0 on
constexpr uint64_t kPlaces = 10'000'000'000'000'000'000U;  // of 19 digits

// How many hashes have a key before that of 19 digits `place`. A key of fewer
// digits stands where it would with zeros behind it.
uint64_t HashesBefore(uint64_t place, int least) {
  const int fewest = std::min(least, kMostDigits);
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
uint64_t PlaceBehind(uint64_t hashes, int least) {
  uint64_t low = 0;
  uint64_t high = kPlaces;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (HashesBefore(middle, least) < hashes) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace

nlohmann::json ToJson(const Cut& cut, const std::optional<uint64_t>& node) {
  if (!cut.sharded()) return nullptr;
  return {{"nodes", cut.nodes},
          {"owner", cut.owner},
          {"node", node ? nlohmann::json(*node) : nlohmann::json()}};
}

Status Validate(const Cut& cut, const Mix& mix) {
  if (!cut.sharded()) {
    return !cut.redirects()
               ? Status::Ok()
               : Status::Usage(
                     "--route: found redirect with --nodes 1, want direct, or "
                     "--nodes of at least 2");
  }
  const auto is_of_one_row = [](const Operation& each) {
    size_t rows = 0;
    for (const Draw& draw : each.draws) rows += draw.is_row() ? draw.count : 0;
    for (const Step& step : each.steps) {
      if (step.verb == Verb::kInsert) rows += step.batch;
      // A scan may be of several nodes.
      if (step.verb == Verb::kScan && each.steps.size() > 1) return false;
    }
    return rows == 1;
  };
  const bool one_row =
      std::all_of(mix.operations.begin(), mix.operations.end(), is_of_one_row);
  if (mix.tables.size() != 1 || mix.tables[0].key.text.empty() || !one_row) {
    return Status::Usage(fmt::format(
        "--nodes: found {}, want 1: only a mix of one table, whose keys are "
        "texts and each of whose operations is about one row, is dealt out",
        cut.nodes));
  }
  if (cut.node && *cut.node >= cut.nodes) {
    return Status::Usage(
        fmt::format("--node: found {}, want less than "
                    "--nodes, {}",
                    *cut.node, cut.nodes));
  }
  if (cut.owner == "range" && !mix.tables[0].key.fnv) {
    return Status::Usage(
        "--owner: found range with a key whose order is not fnv, by which one "
        "node would get every insert; want --owner hash");
  }
  if (!cut.redirects() || cut.owner == "range") return Status::Ok();
  return Status::Usage(fmt::format(
      "--route: found redirect with --owner {}, want --owner range: a server "
      "that redirects goes by the ranges of its table",
      cut.owner));
}

Owner::Owner(const Cut& cut, const Table& table)
    : before_(table.name + "."),
      nodes_(cut.nodes),
      by_range_(cut.owner == "range") {
  const int least = table.key.digits;
  for (uint64_t node = 1; by_range_ && node < nodes_; ++node) {
    bounds_.push_back(fmt::format("{}{:0{}}", table.key.text,
                                  PlaceBehind(kHashes / nodes_ * node, least),
                                  std::max(least, kMostDigits)));
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
