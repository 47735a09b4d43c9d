// A record as RocksDB holds it: its counter, then each field as the original's
// binding writes it, its name and its bytes behind their lengths, all numbers
// big-endian.
#pragma once

#include <rocksdb/slice.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/rocksdb/key_bytes.h"
#include "ycsb/store.h"

namespace waltax::ycsb {

// Thread-safe.
class RowCodec {
 public:
  explicit RowCodec(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      heads_.push_back(Number(static_cast<uint32_t>(name.size())) + name);
    }
  }

  // REQUIRES: `row` has all fields.
  void Encode(const Row& row, std::string* bytes) const {
    bytes->assign(Number(row.counter));
    for (size_t i = 0; i < heads_.size(); ++i) {
      bytes->append(heads_[i]);
      bytes->append(Number(static_cast<uint32_t>(row.fields[i].size())));
      bytes->append(row.fields[i]);
    }
  }

  // Views into `bytes`: of one field, the others are empty. False when the
  // bytes are none of Encode().
  bool Decode(std::string_view bytes, std::optional<uint32_t> field,
              Row* row) const {
    row->fields.assign(heads_.size(), {});
    if (bytes.size() < sizeof(uint64_t)) return false;
    row->counter = GetBigEndian<uint64_t>(&bytes.front());
    bytes.remove_prefix(sizeof(uint64_t));
    for (uint32_t i = 0; i < heads_.size(); ++i) {
      std::string_view found;
      if (!TakeField(heads_[i], &bytes, &found)) return false;
      if (!field || *field == i) row->fields[i] = found;
    }
    return bytes.empty();
  }

 private:
  template <typename Integer>
  static std::string Number(Integer number) {
    std::string bytes(sizeof(number), '\0');
    PutBigEndian(bytes.data(), number);
    return bytes;
  }
  static bool TakeField(std::string_view head, std::string_view* bytes,
                        std::string_view* found) {
    if (!bytes->starts_with(head)) return false;
    bytes->remove_prefix(head.size());
    if (bytes->size() < sizeof(uint32_t)) return false;
    const size_t length = GetBigEndian<uint32_t>(&bytes->front());
    bytes->remove_prefix(sizeof(uint32_t));
    if (bytes->size() < length) return false;
    *found = bytes->substr(0, length);
    bytes->remove_prefix(length);
    return true;
  }

  std::vector<std::string> heads_;  // lengths of names, and the names
};

}  // namespace waltax::ycsb
