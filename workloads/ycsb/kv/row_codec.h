// A record as RocksDB holds it, all numbers big-endian:
//
//   record : counter field...
//   field  : length name length bytes     as the original's binding writes it
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/rocksdb/key_bytes.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

// Thread-safe.
class RowCodec {
 public:
  explicit RowCodec(const std::vector<std::string>& names) {
    for (const std::string& name : names)
      AppendText(name, &heads_.emplace_back());
  }

  // REQUIRES: `row` has all fields.
  void Encode(const Row& row, std::string* bytes) const {
    bytes->clear();
    AppendNumber(row.counter, bytes);
    for (size_t i = 0; i < heads_.size(); ++i) {
      bytes->append(heads_[i]);
      AppendText(row.fields[i], bytes);
    }
  }

  // Views into `bytes`: of one field, the others are empty. False when the
  // bytes are none of Encode().
  bool Decode(std::string_view bytes, Field field, Row* row) const {
    row->fields.assign(heads_.size(), {});
    if (!TakeNumber(&bytes, &row->counter)) return false;
    for (uint32_t i = 0; i < heads_.size(); ++i) {
      uint32_t length = 0;
      if (!bytes.starts_with(heads_[i])) return false;
      bytes.remove_prefix(heads_[i].size());
      if (!TakeNumber(&bytes, &length) || bytes.size() < length) return false;
      if (!field || *field == i) row->fields[i] = bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
    return bytes.empty();
  }

 private:
  template <typename Number>
  static void AppendNumber(Number number, std::string* bytes) {
    char digits[sizeof(number)];
    PutBigEndian(digits, number);
    bytes->append(digits, sizeof(number));
  }
  static void AppendText(std::string_view text, std::string* bytes) {
    AppendNumber(static_cast<uint32_t>(text.size()), bytes);
    bytes->append(text);
  }
  template <typename Number>
  static bool TakeNumber(std::string_view* bytes, Number* number) {
    if (bytes->size() < sizeof(Number)) return false;
    *number = GetBigEndian<Number>(&bytes->front());
    bytes->remove_prefix(sizeof(Number));
    return true;
  }

  std::vector<std::string> heads_;  // lengths of names, and the names
};

}  // namespace waltax::ycsb
