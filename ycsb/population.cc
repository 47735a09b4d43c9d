#include "ycsb/population.h"

#include "ycsb/shards/owner.h"

namespace waltax::ycsb {

KeyList::KeyList(const KeyFormat& format, uint64_t first, uint64_t end,
                 const std::function<bool(std::string_view key)>& keeps)
    : format_(format) {
  std::string key;
  if (!keeps) sorted_.reserve(end - first);
  for (uint64_t number = first; number < end; ++number) {
    if (keeps) {
      format_.Write(number, &key);
      if (!keeps(key)) continue;
    }
    sorted_.push_back(format_.Order(format_.Shown(number)));
  }
  // Ordered keys often are sorted already.
  if (!std::is_sorted(sorted_.begin(), sorted_.end())) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
}

KeyList LoadedKeys(const DataOptions& data) {
  const ShardOptions& shards = data.shards;
  if (!shards.node) return {data.keys(), data.insertstart, data.end()};
  const Owner owner(shards, data.keys());
  return {data.keys(), data.insertstart, data.end(),
          [&](std::string_view key) { return owner.Of(key) == *shards.node; }};
}

}  // namespace waltax::ycsb
