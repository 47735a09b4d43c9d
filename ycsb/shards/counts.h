// What the clients of a sharded store did, by node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "driver/latency.h"

namespace waltax::ycsb {

// Operations on the keys that a node owns; a scan is its first key's node's.
struct NodeCounts {
  uint64_t reads = 0;    // scans included
  uint64_t writes = 0;   // read-modify-writes included
  uint64_t commits = 0;  // writes that were acknowledged and changed a record
  // Scans that asked the node, of whatever first key.
  uint64_t scans = 0;

  [[nodiscard]] uint64_t operations() const { return reads + writes; }
  void Add(const NodeCounts& other);
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

  [[nodiscard]] uint64_t operations() const;
};

// Adds to the report of a slice: "nodes", and "clients", the operations of each
// client; of redirected ones "forwarded", "latency_local_us" and
// "latency_forwarded_us", too. `clients` may have one client several times;
// they start anew.
void TakeCounts(const std::vector<std::shared_ptr<ClientCounts>>& clients,
                bool redirected, nlohmann::json* slice);

}  // namespace waltax::ycsb
