#include "workloads/mix/shards/store.h"

#include <algorithm>
#include <atomic>
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
struct NodeCounts {
  std::atomic<uint64_t> reads = 0;
  std::atomic<uint64_t> writes = 0;
  std::atomic<uint64_t> commits = 0;
};

// What all clients did, since it was last asked.
struct Counts {
  explicit Counts(size_t count) : nodes(count) {}
  std::vector<NodeCounts> nodes;
  // Of redirected operations but scans that did not fail, in nanoseconds: on
  // keys of the node that was asked, and on others' keys.
  std::mutex mutex;
  Histogram local_ns;
  Histogram forwarded_ns;
};

json TakeLatency(Histogram* latency_ns) {
  const auto us = [](auto ns) { return static_cast<double>(ns) / 1e3; };
  const json taken = {{"count", latency_ns->Count()},
                      {"mean", us(latency_ns->Mean())},
                      {"p50", us(latency_ns->Percentile(50))},
                      {"p99", us(latency_ns->Percentile(99))}};
  latency_ns->Clear();
  return taken;
}

// One worker's access to a table that is dealt out to several nodes.
class ShardSession : public Session {
 public:
  // With `home`, the node that redirects, `sessions` is the one that is open
  // there; without, it is one for each node.
  ShardSession(const Values& values, const Owner& owner,
               std::optional<size_t> home,
               std::vector<std::unique_ptr<Session>> sessions, Counts* counts)
      : values_(values),
        owner_(owner),
        home_(home),
        sessions_(std::move(sessions)),
        counts_(*counts) {}

  MixReply Execute(const Request& request) override {
    const Operation& operation = values_.mix().operations[request.operation];
    key_.clear();
    values_.AppendTextKey(0, RowOf(operation, request), &key_);
    const size_t node = owner_.Of(key_);
    NodeCounts& counts = counts_.nodes[node];
    for (const Step& step : operation.steps) {
      if (step.verb != Verb::kScan) continue;
      ++counts.reads;
      return Scan(node, operation, step, request);
    }
    ++(operation.writes() ? counts.writes : counts.reads);
    const int64_t start_ns = home_ ? MonotonicNs() : 0;
    Session& session = *sessions_[home_ ? 0 : node];
    const MixReply reply = session.Execute(request);
    written_ = session.written();
    if (reply.error != nullptr) return reply;
    if (operation.writes() && reply.changed) ++counts.commits;
    if (home_) {
      const std::scoped_lock lock(counts_.mutex);
      Histogram& latency_ns =
          node == *home_ ? counts_.local_ns : counts_.forwarded_ns;
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
  Counts& counts_;
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
        first_seed_(first_seed),
        counts_(nodes_.own.size()) {}

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
    return std::make_unique<ShardSession>(values_, owner_, home,
                                          std::move(sessions), &counts_);
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
    json nodes = json::array();
    for (NodeCounts& each : counts_.nodes) {
      const uint64_t reads = each.reads.exchange(0);
      const uint64_t writes = each.writes.exchange(0);
      nodes.push_back({{"operations", reads + writes},
                       {"reads", reads},
                       {"writes", writes},
                       {"commits", each.commits.exchange(0)}});
    }
    (*slice)["nodes"] = nodes;
    if (!redirects_) return;
    (*slice)["forwarded"] = counts_.forwarded_ns.Count();
    (*slice)["latency_local_us"] = TakeLatency(&counts_.local_ns);
    (*slice)["latency_forwarded_us"] = TakeLatency(&counts_.forwarded_ns);
  }

 private:
  const Values& values_;
  Owner owner_;
  bool redirects_;
  NodeStores nodes_;
  uint64_t first_seed_;
  Counts counts_;
};

}  // namespace

std::unique_ptr<Store> NewShardedStore(const Cut& cut, const Values& values,
                                       NodeStores nodes, uint64_t first_seed) {
  return std::make_unique<ShardedStore>(cut, values, std::move(nodes),
                                        first_seed);
}

}  // namespace waltax::mix
