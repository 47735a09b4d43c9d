#include "workloads/mix/shards/store.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

namespace waltax::mix {

namespace {

using nlohmann::json;

constexpr uint64_t kSample = 65'536;  // rows whose keys show where to cut

// What clients did to rows of a node; of what they committed, what changed one.
struct NodeCounts {
  std::atomic<uint64_t> operations = 0;
  std::atomic<uint64_t> commits = 0;
};

// One worker's access to a table that is dealt out to several nodes.
class ShardSession : public Session {
 public:
  // `sessions` and `counts` are by node.
  ShardSession(const Values& values, const Owner& owner,
               std::vector<std::unique_ptr<Session>> sessions,
               std::vector<NodeCounts>* counts)
      : values_(values),
        owner_(owner),
        sessions_(std::move(sessions)),
        counts_(*counts) {}

  MixReply Execute(const Request& request) override {
    const Operation& operation = values_.mix().operations[request.operation];
    const size_t node = owner_.OfRow(values_, RowOf(operation, request));
    ++counts_[node].operations;
    for (const Step& step : operation.steps) {
      if (step.verb != Verb::kScan) continue;
      return Scan(node, {values_, operation, request, step});
    }
    const MixReply reply = sessions_[node]->Execute(request);
    written_ = sessions_[node]->written();
    if (reply.error == nullptr && reply.changed) ++counts_[node].commits;
    return reply;
  }

 private:
  // What an operation is about.
  static uint64_t RowOf(const Operation& operation, const Request& request) {
    for (const Draw& draw : operation.draws) {
      if (draw.is_row()) return request.drawn[draw.at];
    }
    return request.inserted.front();
  }
  // Of a table that is cut by ranges, the nodes from the key's owner on are
  // asked in turn until there are as many rows as are wanted; otherwise all
  // nodes are asked for as many, of which the first of them all are the answer:
  // of rows that are only counted, merging leaves the number.
  MixReply Scan(size_t node, const RequestStep& at) {
    written_.assign(at.operation.steps.size(), 0);
    const auto limit = static_cast<uint32_t>(at.limit());
    MixReply all;
    Request part = at.request;
    const bool by_range = owner_.by_range();
    for (size_t i = by_range ? node : 0; i < sessions_.size(); ++i) {
      if (by_range && at.step.scan.most != kNone) {
        const Draw& most = at.operation.draws[at.step.scan.most];
        part.drawn[most.at] = limit - all.rows;
      }
      MixReply reply = sessions_[i]->Execute(part);
      if (reply.error != nullptr) return reply;
      all.rows += reply.rows;
      if (limit > 0) all.rows = std::min(limit, all.rows);
      if (by_range && limit > 0 && all.rows == limit) break;
    }
    return all;
  }

  const Values& values_;
  const Owner& owner_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::vector<NodeCounts>& counts_;
};

class ShardedStore : public Store {
 public:
  ShardedStore(const Cut& cut, const Values& values,
               std::vector<std::unique_ptr<Store>> nodes)
      : values_(values),
        owner_(cut, values),
        nodes_(std::move(nodes)),
        counts_(nodes_.size()) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    std::vector<std::unique_ptr<Session>> sessions;
    for (const auto& node : nodes_) sessions.push_back(node->NewSession(seed));
    return std::make_unique<ShardSession>(values_, owner_, std::move(sessions),
                                          &counts_);
  }

  Status Scan(size_t table, const Visit& visit) override {
    Status status;
    for (size_t node = 0; node < nodes_.size() && status.ok(); ++node) {
      const auto look = [&](uint64_t number, const Row* row) {
        const bool ours =
            row == nullptr || owner_.OfRow(values_, number) == node;
        visit(ours ? number : kMisplaced, ours ? row : nullptr);
      };
      status = nodes_[node]->Scan(table, look);
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
  void AddToSlice(json* slice) override {
    json& nodes = (*slice)["nodes"] = json::array();
    for (NodeCounts& each : counts_) {
      nodes.push_back({{"operations", each.operations.exchange(0)},
                       {"commits", each.commits.exchange(0)}});
    }
  }

 private:
  const Values& values_;
  Owner owner_;
  std::vector<std::unique_ptr<Store>> nodes_;
  std::vector<NodeCounts> counts_;
};

}  // namespace

json ToJson(const Cut& cut, const std::optional<uint64_t>& node) {
  if (!cut.sharded()) return nullptr;
  return {{"nodes", cut.nodes},
          {"owner", cut.owner},
          {"node", node ? json(*node) : json()}};
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

size_t Owner::OfRow(const Values& values, uint64_t number) const {
  thread_local std::string key;
  key.clear();
  values.AppendTextKey(0, number, &key);
  return Of(key);
}

std::unique_ptr<Store> NewShardedStore(
    const Cut& cut, const Values& values,
    std::vector<std::unique_ptr<Store>> nodes) {
  return std::make_unique<ShardedStore>(cut, values, std::move(nodes));
}

}  // namespace waltax::mix
