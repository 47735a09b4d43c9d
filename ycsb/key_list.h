// The keys of a range of records in the order of a table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "ycsb/keys.h"
#include "ycsb/options.h"

namespace waltax::ycsb {

// 16 bytes a key. Records whose keys are equal, by chance of the hash, count
// once.
class KeyList {
 public:
  // Of the records from `first` to before `end`; with `keeps`, of those for
  // whose keys it is true.
  KeyList(const KeyFormat& format, uint64_t first, uint64_t end,
          const std::function<bool(std::string_view key)>& keeps = {});

  [[nodiscard]] size_t size() const { return sorted_.size(); }
  void Write(size_t i, std::string* key) const;

 private:
  KeyFormat format_;
  std::vector<std::tuple<uint64_t, int>> sorted_;
};

// Of the records that a load writes: all, or one node's.
KeyList LoadedKeys(const DataOptions& data);

}  // namespace waltax::ycsb
