#include "ycsb/shards/counts.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace waltax::ycsb {

namespace {

using nlohmann::json;

json NodeObjects(const std::vector<NodeCounts>& nodes) {
  json objects = json::array();
  for (const NodeCounts& node : nodes) {
    objects.push_back({{"operations", node.operations()},
                       {"reads", node.reads},
                       {"writes", node.writes},
                       {"commits", node.commits},
                       {"scans", node.scans}});
  }
  return objects;
}

json LatencyObject(const Histogram& latency_ns) {
  const auto us = [](auto ns) { return static_cast<double>(ns) / 1e3; };
  return {{"count", latency_ns.Count()},
          {"mean", us(latency_ns.Mean())},
          {"p50", us(latency_ns.Percentile(50))},
          {"p99", us(latency_ns.Percentile(99))}};
}

}  // namespace

void NodeCounts::Add(const NodeCounts& other) {
  reads += other.reads;
  writes += other.writes;
  commits += other.commits;
  scans += other.scans;
}

uint64_t ClientCounts::operations() const {
  uint64_t operations = 0;
  for (const NodeCounts& node : nodes) operations += node.operations();
  return operations;
}

void TakeCounts(const std::vector<std::shared_ptr<ClientCounts>>& clients,
                bool redirected, json* slice) {
  if (clients.empty()) return;
  ClientCounts all(0, clients.front()->nodes.size());
  std::vector<uint64_t> operations;
  for (const auto& counts : clients) {
    operations.resize(std::max(operations.size(), counts->client + 1));
    operations[counts->client] += counts->operations();
    for (size_t i = 0; i < all.nodes.size(); ++i) {
      all.nodes[i].Add(counts->nodes[i]);
      counts->nodes[i] = {};
    }
    all.local_ns.Merge(counts->local_ns);
    all.forwarded_ns.Merge(counts->forwarded_ns);
    counts->local_ns.Clear();
    counts->forwarded_ns.Clear();
  }
  (*slice)["nodes"] = NodeObjects(all.nodes);
  (*slice)["clients"] = operations;
  if (!redirected) return;
  (*slice)["forwarded"] = all.forwarded_ns.Count();
  (*slice)["latency_local_us"] = LatencyObject(all.local_ns);
  (*slice)["latency_forwarded_us"] = LatencyObject(all.forwarded_ns);
}

}  // namespace waltax::ycsb
