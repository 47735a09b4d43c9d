#include "workloads/mix/shards/store.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

namespace waltax::mix {

namespace {

constexpr uint64_t kSample = 65'536;  // rows whose keys show where to cut

// What clients did to rows of a node; of what they committed, what changed one.
struct NodeCounts {
  std::atomic<uint64_t> operations = 0;
  std::atomic<uint64_t> commits = 0;
};

// What the sessions of a store share.
struct Shards {
  const Values& values;
  Owner owner;
  std::vector<NodeCounts> counts;
};

// One worker's access to a table that is dealt out to several nodes.
class ShardSession : public Session {
 public:
  // `nodes` are sessions of each.
  ShardSession(Shards* shards, std::vector<std::unique_ptr<Session>> nodes)
      : shards_(*shards), nodes_(std::move(nodes)) {}

  Outcome Execute(const Request& request) override {
    const size_t row_at =
        shards_.values.mix().operations[request.operation].row_at;
    const size_t node = shards_.owner.OfRow(request.drawn[row_at]);
    ++shards_.counts[node].operations;
    const Outcome outcome = nodes_[node]->Execute(request);
    written_ = nodes_[node]->written();
    const bool commits = outcome.error == nullptr && outcome.committed;
    if (commits) ++shards_.counts[node].commits;
    return outcome;
  }

 private:
  Shards& shards_;
  std::vector<std::unique_ptr<Session>> nodes_;
};

class ShardedStore : public Store {
 public:
  ShardedStore(const std::string& owner, const Values& values,
               std::vector<std::unique_ptr<Store>> nodes)
      : shards_{values, Owner(nodes.size(), owner, values),
                std::vector<NodeCounts>(nodes.size())},
        nodes_(std::move(nodes)) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    std::vector<std::unique_ptr<Session>> sessions;
    for (const auto& node : nodes_) sessions.push_back(node->NewSession(seed));
    return std::make_unique<ShardSession>(&shards_, std::move(sessions));
  }
  Status Scan(size_t table, const Visit& visit) override {
    Status status;
    for (size_t node = 0; node < nodes_.size() && status.ok(); ++node) {
      status = nodes_[node]->Scan(table, [&](uint64_t number, const Row* row) {
        const bool ours = row == nullptr || shards_.owner.OfRow(number) == node;
        visit(ours ? number : kMisplaced, ours ? row : nullptr);
      });
    }
    return status;
  }
  Status Recover() override {
    Status status;
    for (const auto& node : nodes_) {
      if (status.ok()) status = node->Recover();
    }
    return status;
  }
  // All counts start anew.
  void AddToSlice(nlohmann::json* slice) override {
    nlohmann::json& nodes = (*slice)["nodes"] = nlohmann::json::array();
    for (NodeCounts& each : shards_.counts) {
      nodes.push_back({{"operations", each.operations.exchange(0)},
                       {"commits", each.commits.exchange(0)}});
    }
  }

 private:
  Shards shards_;
  std::vector<std::unique_ptr<Store>> nodes_;
};

std::string KeyOf(const Values& values, uint64_t number) {
  std::string key;
  values.AppendTextKey(0, number, &key);
  return key;
}

}  // namespace

Owner::Owner(uint64_t nodes, const std::string& owner, const Values& values)
    : values_(values), nodes_(nodes), by_range_(owner == "range") {
  if (!by_range_) return;
  std::vector<std::string> keys(kSample);
  for (uint64_t i = 0; i < kSample; ++i) keys[i] = KeyOf(values, i);
  std::sort(keys.begin(), keys.end());
  for (size_t node = 1; node < nodes_; ++node) {
    bounds_.push_back(keys[kSample / nodes_ * node]);
  }
}

size_t Owner::Of(std::string_view key) const {
  if (by_range_) {
    const auto behind = std::upper_bound(bounds_.begin(), bounds_.end(), key);
    return static_cast<size_t>(behind - bounds_.begin());
  }
  std::string hashed = values_.mix().tables[0].name + ".";
  return std::hash<std::string>()(hashed.append(key)) % nodes_;
}

size_t Owner::OfRow(uint64_t number) const {
  return Of(KeyOf(values_, number));
}

std::unique_ptr<Store> NewShardedStore(
    const std::string& owner, const Values& values,
    std::vector<std::unique_ptr<Store>> nodes) {
  return std::make_unique<ShardedStore>(owner, values, std::move(nodes));
}

}  // namespace waltax::mix
