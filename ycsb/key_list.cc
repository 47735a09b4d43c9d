#include "ycsb/key_list.h"

#include <algorithm>

namespace waltax::ycsb {

KeyList::KeyList(const KeyFormat& format, uint64_t first, uint64_t end)
    : format_(format) {
  sorted_.reserve(end - first);
  for (uint64_t number = first; number < end; ++number) {
    sorted_.push_back(format_.Order(format_.Shown(number)));
  }
  // Ordered keys often are sorted already.
  if (!std::is_sorted(sorted_.begin(), sorted_.end())) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
}

void KeyList::Write(size_t i, std::string* key) const {
  format_.WriteShown(KeyFormat::ShownOf(sorted_[i]), key);
}

}  // namespace waltax::ycsb
