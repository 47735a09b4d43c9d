#include "workloads/ycsb/store.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "driver/clock.h"
#include "driver/latency.h"
#include "workloads/ycsb/shards/owner.h"

namespace waltax::ycsb {

namespace {

using nlohmann::json;

// Operations on the keys that a node owns: reads and scans by their first key,
// writes and read-modify-writes, and the writes that were acknowledged and
// changed a record. The last are scans that asked the node, of whatever key.
enum Count : uint8_t { kReads, kWrites, kCommits, kScans };
constexpr std::array<const char*, 4> kCountNames = {"reads", "writes",
                                                    "commits", "scans"};
using NodeCounts = std::array<uint64_t, kCountNames.size()>;

// What one client did, since it was last asked. Not thread-safe.
struct ClientCounts {
  size_t client;
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
  ShardSession(const Owner& owner, std::optional<size_t> home,
               std::vector<std::unique_ptr<Session>> sessions,
               std::shared_ptr<ClientCounts> counts)
      : owner_(owner),
        home_(home),
        sessions_(std::move(sessions)),
        counts_(std::move(counts)) {}

  Reply Execute(const Request& request, Row* row) override {
    const size_t node = owner_.Of(request.key);
    NodeCounts& counts = counts_->nodes[node];
    if (request.op == Op::kScan) {
      ++counts[kReads];
      return Scan(node, request, row);
    }
    ++counts[request.op == Op::kRead ? kReads : kWrites];
    const int64_t start_ns = home_ ? MonotonicNs() : 0;
    const Reply reply = sessions_[home_ ? 0 : node]->Execute(request, row);
    if (reply.error != nullptr) return reply;
    if (Writes(request.op) && reply.changed &&
        (reply.found || !request.can_miss())) {
      ++counts[kCommits];
    }
    if (home_) {
      Histogram& latency_ns =
          node == *home_ ? counts_->local_ns : counts_->forwarded_ns;
      latency_ns.Record(static_cast<uint64_t>(MonotonicNs() - start_ns));
    }
    return reply;
  }

 private:
  // Of a table that is cut by ranges, the nodes from the key's owner on are
  // asked in turn until there are as many records as are wanted; otherwise all
  // nodes are asked for as many, of which the first of them all are the answer:
  // of records that are only counted, merging leaves the number.
  Reply Scan(size_t node, const Request& request, Row* row) {
    if (home_) {
      ++counts_->nodes[*home_][kScans];
      return sessions_.front()->Execute(request, row);
    }
    Reply all;
    Request part = request;
    const bool by_range = owner_.by_range();
    for (size_t i = by_range ? node : 0; i < sessions_.size(); ++i) {
      if (by_range) part.scan_length = request.scan_length - all.rows;
      ++counts_->nodes[i][kScans];
      const Reply reply = sessions_[i]->Execute(part, row);
      all.error = reply.error;
      all.fatal = reply.fatal;
      if (reply.error != nullptr) return all;
      all.rows = std::min(request.scan_length, all.rows + reply.rows);
      if (by_range && all.rows == request.scan_length) break;
    }
    all.found = all.rows > 0;
    return all;
  }

  const Owner& owner_;
  std::optional<size_t> home_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::shared_ptr<ClientCounts> counts_;
};

class ShardedStore : public Store {
 public:
  ShardedStore(const DataOptions& data, NodeStores nodes, uint64_t first_seed)
      : owner_(data.shards, data.keys()),
        redirects_(data.shards.redirects()),
        nodes_(std::move(nodes)),
        first_seed_(first_seed) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override {
    const size_t client = seed - first_seed_;
    std::optional<size_t> home;
    std::vector<std::unique_ptr<Session>> sessions;
    if (redirects_) {
      home = client % nodes_.all.size();
      sessions.push_back(nodes_.all[*home]->NewSession(seed));
    } else {
      for (const auto& node : nodes_.own) {
        sessions.push_back(node->NewSession(seed));
      }
    }
    const auto counts = std::make_shared<ClientCounts>(
        client, std::vector<NodeCounts>(nodes_.own.size()));
    {
      const std::scoped_lock lock(mutex_);
      clients_.push_back(counts);
    }
    return std::make_unique<ShardSession>(owner_, home, std::move(sessions),
                                          counts);
  }

  std::vector<Store*> Nodes() override {
    std::vector<Store*> nodes;
    for (const auto& node : nodes_.own) nodes.push_back(node.get());
    return nodes;
  }

  // A client may have had several sessions. All counts start anew.
  void AddToSlice(json* slice) override {
    if (clients_.empty()) return;
    json nodes = json::array();
    std::vector<uint64_t> clients;
    for (size_t node = 0; node < nodes_.own.size(); ++node) {
      NodeCounts all{};
      for (const auto& client : clients_) {
        const NodeCounts part = std::exchange(client->nodes[node], {});
        for (size_t i = 0; i < part.size(); ++i) all[i] += part[i];
        clients.resize(std::max(clients.size(), client->client + 1));
        clients[client->client] += part[kReads] + part[kWrites];
      }
      nodes.push_back({{"operations", all[kReads] + all[kWrites]}});
      for (size_t i = 0; i < all.size(); ++i) {
        nodes.back()[kCountNames[i]] = all[i];
      }
    }
    (*slice)["nodes"] = nodes;
    (*slice)["clients"] = clients;
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
  Owner owner_;
  bool redirects_;
  NodeStores nodes_;
  uint64_t first_seed_;
  std::mutex mutex_;  // of the next
  std::vector<std::shared_ptr<ClientCounts>> clients_;
};

}  // namespace

std::unique_ptr<Store> NewShardedStore(const DataOptions& data,
                                       NodeStores nodes, uint64_t first_seed) {
  return std::make_unique<ShardedStore>(data, std::move(nodes), first_seed);
}

}  // namespace waltax::ycsb
