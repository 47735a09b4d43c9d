// The store in memory: a full second implementation, for tests and for runs
// that shall not touch an engine.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "linkbench/store.h"

namespace waltax::linkbench {

// Thread-safe: every shard has its lock, and no operation needs two.
class MemoryStore : public Store {
 public:
  // The first AddNode gets `next_node_id`.
  explicit MemoryStore(uint64_t next_node_id) : next_node_id_(next_node_id) {}

  std::unique_ptr<Session> NewSession(uint64_t seed) override;
  Status Scan(Table table, const table::KeyRange& range,
              const table::Visit& visit) const override;

 private:
  friend class MemorySession;

  struct StoredLink {
    bool visible = false;
    uint32_t version = 0;
    uint64_t time = 0;
    std::string data;
  };
  // All links of one (id1, type).
  struct Adjacency {
    std::map<uint64_t, StoredLink> links;  // by id2
    std::set<std::pair<uint64_t, uint64_t>>
        newest_first;  // visible: ~time, id2
    uint64_t count = 0;
  };
  struct StoredNode {
    uint32_t type = 0;
    uint64_t version = 0;
    uint32_t time = 0;
    std::string data;
  };
  struct Shard {
    std::mutex mutex;
    std::map<std::pair<uint64_t, uint64_t>, Adjacency> adjacencies;
    std::unordered_map<uint64_t, StoredNode> nodes;
  };

  static constexpr size_t kShards = 64;

  static void AddRows(Table table, uint64_t id1, uint64_t type,
                      const Adjacency& adjacency,
                      std::map<std::string, std::string>* rows);
  Shard& ShardOf(uint64_t id) { return shards_[id % kShards]; }

  std::array<Shard, kShards> shards_;
  std::atomic<uint64_t> next_node_id_;
};

}  // namespace waltax::linkbench
