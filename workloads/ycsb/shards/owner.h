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
#include <string>
#include <string_view>
#include <vector>

#include "workloads/ycsb/keys.h"
#include "workloads/ycsb/options.h"

namespace waltax::ycsb {

// Thread-safe.
class Owner {
 public:
  // REQUIRES: the options were resolved.
  Owner(const ShardOptions& shards, const KeyFormat& keys);

  // The node, from 0.
  [[nodiscard]] size_t Of(std::string_view key) const;
  [[nodiscard]] bool by_range() const { return by_range_; }
  // The first keys of the nodes from 1 on, in their order; of "hash" there are
  // none.
  [[nodiscard]] const std::vector<std::string>& bounds() const {
    return bounds_;
  }

 private:
  size_t nodes_;
  bool by_range_;
  std::vector<std::string> bounds_;
};

}  // namespace waltax::ycsb
