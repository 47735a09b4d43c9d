#include "ycsb/shards/store.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ycsb/check.h"
#include "ycsb/shards/owner.h"
#include "ycsb/shards/session.h"

namespace waltax::ycsb {

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
