#include "ycsb/shards/store.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "driver/clock.h"
#include "driver/latency.h"
#include "ycsb/check.h"
#include "ycsb/shards/owner.h"

namespace waltax::ycsb {

// What the clients did, by node.

// Operations on the keys that a node owns; a scan is its first key's node's.
struct NodeCounts {
  uint64_t reads = 0;    // scans included
  uint64_t writes = 0;   // read-modify-writes included
  uint64_t commits = 0;  // writes that were acknowledged and changed a record
  // Scans that asked the node, of whatever first key.
  uint64_t scans = 0;

  [[nodiscard]] uint64_t operations() const { return reads + writes; }
  void Add(const NodeCounts& other) {
    reads += other.reads;
    writes += other.writes;
    commits += other.commits;
    scans += other.scans;
  }
};

// Of one client, since they were last taken. Not thread-safe.
struct ClientCounts {
  ClientCounts(size_t client, size_t nodes) : client(client), nodes(nodes) {}

  size_t client;
  std::vector<NodeCounts> nodes;
  // Of redirected operations but scans that did not fail, in nanoseconds: on
  // keys of the node that was asked, and on others' keys.
  Histogram local_ns;
  Histogram forwarded_ns;

  [[nodiscard]] uint64_t operations() const {
    uint64_t operations = 0;
    for (const NodeCounts& node : nodes) operations += node.operations();
    return operations;
  }
};

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

// Adds to the report of a slice: "nodes", and "clients", the operations of each
// client; of redirected ones "forwarded", "latency_local_us" and
// "latency_forwarded_us", too. `clients` may have one client several times;
// they start anew.
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

// One worker's access to a table that is dealt out to several nodes.
class ShardSession : public Session {
 public:
  // With `home`, the node that redirects, `sessions` is the one that is open
  // there; without, it is one for each node.
  ShardSession(Owner owner, bool by_range, std::optional<size_t> home,
               std::vector<std::unique_ptr<Session>> sessions,
               std::shared_ptr<ClientCounts> counts)
      : owner_(std::move(owner)),
        by_range_(by_range),
        home_(home),
        sessions_(std::move(sessions)),
        counts_(std::move(counts)) {}

  Reply Read(std::string_view key, std::optional<uint32_t> field,
             Row* row) override {
    const size_t node = owner_.Of(key);
    ++counts_->nodes[node].reads;
    return At(node,
              [&](Session& session) { return session.Read(key, field, row); });
  }
  Reply Update(std::string_view key, const Values& values) override {
    return Write(key, true,
                 [&](Session& session) { return session.Update(key, values); });
  }
  Reply Replace(std::string_view key, const Values& values) override {
    return Write(key, false, [&](Session& session) {
      return session.Replace(key, values);
    });
  }
  Reply ReadModifyWrite(std::string_view key, std::optional<uint32_t> field,
                        const Values& values, Row* row) override {
    return Write(key, true, [&](Session& session) {
      return session.ReadModifyWrite(key, field, values, row);
    });
  }
  Reply Insert(std::string_view key, const Values& values) override {
    return Write(key, false,
                 [&](Session& session) { return session.Insert(key, values); });
  }
  // Of a table that is cut by ranges, the nodes from the key's owner on are
  // asked in turn until there are `limit` records; otherwise all nodes are
  // asked for as many, of which the first `limit` of them all are the answer.
  Reply Scan(std::string_view key, uint32_t limit,
             std::optional<uint32_t> field) override {
    const size_t node = owner_.Of(key);
    ++counts_->nodes[node].reads;
    if (!home_) return ScanNodes(node, key, limit, field);
    ++counts_->nodes[*home_].scans;
    return sessions_.front()->Scan(key, limit, field);
  }

 private:
  // Calls `ask(session)` with the session that reaches a key's owner.
  template <typename Ask>
  Reply At(size_t node, const Ask& ask) {
    if (!home_) return ask(*sessions_[node]);
    const int64_t start_ns = MonotonicNs();
    const Reply reply = ask(*sessions_.front());
    if (reply.error == nullptr) {
      Histogram& latency_ns =
          node == *home_ ? counts_->local_ns : counts_->forwarded_ns;
      latency_ns.Record(static_cast<uint64_t>(MonotonicNs() - start_ns));
    }
    return reply;
  }
  // The same for an operation that writes, which changed a record when it
  // succeeded and, where it can `miss`, found it.
  template <typename Ask>
  Reply Write(std::string_view key, bool can_miss, const Ask& ask) {
    const size_t node = owner_.Of(key);
    NodeCounts& counts = counts_->nodes[node];
    ++counts.writes;
    const Reply reply = At(node, ask);
    if (reply.error == nullptr && reply.changed && (reply.found || !can_miss)) {
      ++counts.commits;
    }
    return reply;
  }
  // One node after the other: a client has one thread. Of records that are only
  // counted, merging leaves the number.
  Reply ScanNodes(size_t node, std::string_view key, uint32_t limit,
                  std::optional<uint32_t> field) {
    Reply all;
    for (size_t i = by_range_ ? node : 0; i < sessions_.size(); ++i) {
      const uint32_t wanted = by_range_ ? limit - all.rows : limit;
      ++counts_->nodes[i].scans;
      const Reply reply = sessions_[i]->Scan(key, wanted, field);
      all.error = reply.error;
      all.fatal = reply.fatal;
      if (reply.error != nullptr) return all;
      all.rows = std::min(limit, all.rows + reply.rows);
      if (by_range_ && all.rows == limit) break;
    }
    all.found = all.rows > 0;
    return all;
  }

  Owner owner_;
  bool by_range_;
  std::optional<size_t> home_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::shared_ptr<ClientCounts> counts_;
};

}  // namespace

ShardedStore::ShardedStore(const DataOptions& data, NodeStores nodes,
                           uint64_t first_seed)
    : data_(data), nodes_(std::move(nodes)), first_seed_(first_seed) {}

std::unique_ptr<Session> ShardedStore::NewSession(uint64_t seed) {
  const size_t client = seed - first_seed_;
  const ShardOptions& shards = data_.shards;
  std::optional<size_t> home;
  std::vector<std::unique_ptr<Session>> sessions;
  if (shards.redirects()) {
    home = client % nodes_.all.size();
    sessions.push_back(nodes_.all[*home]->NewSession(seed));
  } else {
    for (const auto& node : nodes_.own) {
      sessions.push_back(node->NewSession(seed));
    }
  }
  auto counts = std::make_shared<ClientCounts>(client, nodes_.own.size());
  {
    const std::scoped_lock lock(mutex_);
    clients_.push_back(counts);
  }
  return std::make_unique<ShardSession>(Owner(shards, data_.keys()),
                                        shards.owner == "range", home,
                                        std::move(sessions), std::move(counts));
}

Status ShardedStore::Survey(Totals* totals) {
  *totals = {};
  for (const auto& node : nodes_.own) {
    Totals part;
    const Status status = node->Survey(&part);
    if (!status.ok()) return status;
    totals->rows += part.rows;
    totals->counter += part.counter;
  }
  return Status::Ok();
}

Status ShardedStore::Check(const Expected& expected, int threads,
                           CheckResult* result) {
  // Nobody knows what the counters of one node must add up to.
  const Expected of_node = {expected.next, expected.doubtful, std::nullopt};
  std::map<std::string, uint64_t> counted;
  *result = {};
  for (const auto& node : nodes_.own) {
    CheckResult part;
    const Status status = node->Check(of_node, threads, &part);
    if (!status.ok()) return status;
    result->violation_count += part.violation_count;
    std::move(part.violations.begin(), part.violations.end(),
              std::back_inserter(result->violations));
    for (const auto& [name, rows] : part.counted) counted[name] += rows;
  }
  const uint64_t counter = counted[kCountersName];
  if (expected.counter && *expected.counter != counter) {
    ++result->violation_count;
    result->violations.push_back(WrongCounters(counter, *expected.counter));
  }
  std::sort(result->violations.begin(), result->violations.end());
  result->counted.assign(counted.begin(), counted.end());
  return Status::Ok();
}

void ShardedStore::AddToSlice(nlohmann::json* slice) {
  TakeCounts(clients_, data_.shards.redirects(), slice);
}

}  // namespace waltax::ycsb
