// Which node of a table that is dealt out to several has a record.
//
// "hash" is what a published study of a sharded RocksDB used: libstdc++'s
// std::hash of "usertable." and the key, modulo the number of nodes. "range"
// cuts the order of the keys where equal parts of all possible keys lie
// between: keys are hashes, hence every node gets as many records, those that
// are inserted later included, and the cut can be written as the partitions of
// a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ycsb/keys.h"
#include "ycsb/options.h"

namespace waltax::ycsb {

// The first keys of the nodes 1 to `nodes` - 1, in their order. REQUIRES: keys
// are hashed.
std::vector<std::string> NodeBounds(const KeyFormat& keys, uint64_t nodes);

// Used by one thread.
class Owner {
 public:
  // REQUIRES: `shards` were validated.
  Owner(const ShardOptions& shards, const KeyFormat& keys);

  // The node, from 0.
  [[nodiscard]] size_t Of(std::string_view key);
  // NodeBounds() of "range"; of "hash" there are none.
  [[nodiscard]] const std::vector<std::string>& bounds() const {
    return bounds_;
  }

 private:
  size_t nodes_;
  bool by_range_;
  std::vector<std::string> bounds_;
  std::string hashed_;
};

}  // namespace waltax::ycsb
