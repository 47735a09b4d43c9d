#include "workloads/mix/shards/store.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "driver/clock.h"
#include "driver/latency.h"

namespace waltax::mix {

namespace {

using nlohmann::json;

// Operations on the keys that a node owns: reads and scans by their first key,
// writes and read-modify-writes, and the writes that were acknowledged and
// changed a record.
enum Count : uint8_t { kReads, kWrites, kCommits };
constexpr std::array<const char*, 3> kCountNames = {"reads", "writes",
                                                    "commits"};
using NodeCounts = std::array<uint64_t, kCountNames.size()>;

// What one client did, since it was last asked. Not thread-safe.
struct ClientCounts {
  std::vector<NodeCounts> nodes;
  // Of redirected operations but scans that did not fail, in nanoseconds: on
  // keys of the node that was asked, and on others' keys.
  Histogram local_ns;
  Histogram forwarded_ns;
};

json LatencyObject(const Histogram& latency_ns) {
  const auto us = [](auto ns) { return static_cast<double>(ns) / 1e3; };
  return {{"count", latency_ns.Count()},
          {"mean", us(latency_ns.Mean())},
          {"p50", us(latency_ns.Percentile(50))},
          {"p99", us(latency_ns.Percentile(99))}};
}

// One worker's access to a table that is dealt out to several nodes.
class ShardSession : public Session {
 public:
  // With `home`, the node that redirects, `sessions` is the one that is open
  // there; without, it is one for each node.
  ShardSession(const Values& values, const Owner& owner,
               std::optional<size_t> home,
               std::vector<std::unique_ptr<Session>> sessions,
               std::shared_ptr<ClientCounts> counts)
      : values_(values),
        owner_(owner),
        home_(home),
        sessions_(std::move(sessions)),
        counts_(std::move(counts)) {}

  MixReply Execute(const Request& request) override {
    const Operation& operation = values_.mix().operations[request.operation];
    key_.clear();
    values_.AppendTextKey(0, RowOf(operation, request), &key_);
    const size_t node = owner_.Of(key_);
    NodeCounts& counts = counts_->nodes[node];
    for (const Step& step : operation.steps) {
      if (step.verb != Verb::kScan) continue;
      ++counts[kReads];
      return Scan(node, operation, step, request);
    }
    ++counts[operation.writes() ? kWrites : kReads];
    const int64_t start_ns = home_ ? MonotonicNs() : 0;
    Session& session = *sessions_[home_ ? 0 : node];
    const MixReply reply = session.Execute(request);
    written_ = session.written();
    if (reply.error != nullptr) return reply;
    if (operation.writes() && reply.changed) ++counts[kCommits];
    if (home_) {
      Histogram& latency_ns =
          node == *home_ ? counts_->local_ns : counts_->forwarded_ns;
      latency_ns.Record(static_cast<uint64_t>(MonotonicNs() - start_ns));
    }
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
  MixReply Scan(size_t node, const Operation& operation, const Step& step,
                const Request& request) {
    written_.assign(operation.steps.size(), 0);
    if (home_) return sessions_.front()->Execute(request);
    const RequestStep at = {values_, operation, request, step};
    const auto limit = static_cast<uint32_t>(at.limit());
    MixReply all;
    Request part = request;
    const bool by_range = owner_.by_range();
    for (size_t i = by_range ? node : 0; i < sessions_.size(); ++i) {
      if (by_range && step.scan.most != kNone) {
        part.drawn[operation.draws[step.scan.most].at] = limit - all.rows;
      }
      const MixReply reply = sessions_[i]->Execute(part);
      all.error = reply.error;
      all.fatal = reply.fatal;
      if (reply.error != nullptr) return all;
      all.rows += reply.rows;
      if (limit > 0) all.rows = std::min(limit, all.rows);
      if (by_range && limit > 0 && all.rows == limit) break;
    }
    return all;
  }

  const Values& values_;
  const Owner& owner_;
  std::optional<size_t> home_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::shared_ptr<ClientCounts> counts_;
  std::string key_;
};

class ShardedStore : public Store {
 public:
  ShardedStore(const Cut& cut, const Values& values, NodeStores nodes,
               uint64_t first_seed)
      : values_(values),
        owner_(cut, values),
        redirects_(cut.redirects()),
        nodes_(std::move(nodes)),
        first_seed_(first_seed) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    std::optional<size_t> home;
    std::vector<std::unique_ptr<Session>> sessions;
    if (redirects_) {
      home = (seed - first_seed_) % nodes_.all.size();
      sessions.push_back(nodes_.all[*home]->NewSession(seed));
    } else {
      for (const auto& node : nodes_.own) {
        sessions.push_back(node->NewSession(seed));
      }
    }
    const auto counts = std::make_shared<ClientCounts>(
        std::vector<NodeCounts>(nodes_.own.size()));
    {
      const std::scoped_lock lock(mutex_);
      clients_.push_back(counts);
    }
    return std::make_unique<ShardSession>(values_, owner_, home,
                                          std::move(sessions), counts);
  }

  Status Scan(size_t table, size_t index, const Visit& visit) override {
    Status status;
    std::string key;
    for (size_t node = 0; node < nodes_.own.size() && status.ok(); ++node) {
      const auto look = [&](uint64_t number, const Row* row) {
        key.clear();
        values_.AppendTextKey(table, number, &key);
        const bool ours = row == nullptr || owner_.Of(key) == node;
        visit(ours ? number : kMisplaced, ours ? row : nullptr);
      };
      status = nodes_.own[node]->Scan(table, index, look);
    }
    return status;
  }
  Status Recover() override {
    Status status;
    for (const auto& node : nodes_.own) {
      if (status.ok()) status = node->Recover();
    }
    return status;
  }

  // All counts start anew.
  void AddToSlice(json* slice) override {
    if (clients_.empty()) return;
    json nodes = json::array();
    for (size_t node = 0; node < nodes_.own.size(); ++node) {
      NodeCounts all{};
      for (const auto& client : clients_) {
        const NodeCounts part = std::exchange(client->nodes[node], {});
        for (size_t i = 0; i < part.size(); ++i) all[i] += part[i];
      }
      nodes.push_back({{"operations", all[kReads] + all[kWrites]}});
      for (size_t i = 0; i < all.size(); ++i) {
        nodes.back()[kCountNames[i]] = all[i];
      }
    }
    (*slice)["nodes"] = nodes;
    if (!redirects_) return;
    Histogram local_ns;
    Histogram forwarded_ns;
    for (const auto& client : clients_) {
      local_ns.Merge(client->local_ns);
      forwarded_ns.Merge(client->forwarded_ns);
      client->local_ns.Clear();
      client->forwarded_ns.Clear();
    }
    (*slice)["forwarded"] = forwarded_ns.Count();
    (*slice)["latency_local_us"] = LatencyObject(local_ns);
    (*slice)["latency_forwarded_us"] = LatencyObject(forwarded_ns);
  }

 private:
  const Values& values_;
  Owner owner_;
  bool redirects_;
  NodeStores nodes_;
  uint64_t first_seed_;
  std::mutex mutex_;  // of the next
  std::vector<std::shared_ptr<ClientCounts>> clients_;
};

}  // namespace

std::unique_ptr<Store> NewShardedStore(const Cut& cut, const Values& values,
                                       NodeStores nodes, uint64_t first_seed) {
  return std::make_unique<ShardedStore>(cut, values, std::move(nodes),
                                        first_seed);
}

}  // namespace waltax::mix
