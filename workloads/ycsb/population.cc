#include "workloads/ycsb/population.h"

#include "workloads/ycsb/shards/owner.h"

namespace waltax::ycsb {

KeyList::KeyList(const DataOptions& data) : format_(data.keys()) {
  const Owner owner(data.shards, format_);
  const std::optional<uint64_t> node = data.shards.node;
  std::string key;
  if (!node) sorted_.reserve(data.insertcount);
  for (uint64_t number = data.insertstart; number < data.end(); ++number) {
    if (node) {
      format_.Write(number, &key);
      if (owner.Of(key) != *node) continue;
    }
    sorted_.push_back(format_.Order(format_.Shown(number)));
  }
  // Ordered keys often are sorted already.
  if (!std::is_sorted(sorted_.begin(), sorted_.end())) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
}

}  // namespace waltax::ycsb
