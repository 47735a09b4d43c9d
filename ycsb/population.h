// The records of a load, in the order of their keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "driver/random.h"
#include "ycsb/key_list.h"
#include "ycsb/records.h"

namespace waltax::ycsb {

// What was loaded so far.
struct RecordsLoaded {
  uint64_t records = 0;
  uint64_t bytes = 0;  // of files, or of what was sent
};
using ReportLoaded = std::function<void(const RecordsLoaded&)>;

// Thread-safe.
class Population {
 public:
  // Equal seeds give equal records.
  Population(const DataOptions& data, uint64_t seed)
      : records_(data), keys_(LoadedKeys(data)), seed_(seed) {}

  [[nodiscard]] size_t chunks() const {
    return (keys_.size() + kChunk - 1) / kChunk;
  }
  [[nodiscard]] size_t records() const { return keys_.size(); }
  [[nodiscard]] const RecordModel& model() const { return records_; }

  // Calls `write(key, values)` with each record of a chunk until it returns
  // false.
  template <typename Write>
  void WriteChunk(uint64_t chunk, const Write& write) const {
    Random random(seed_, chunk);
    std::string key;
    Values values;
    const size_t end = std::min(keys_.size(), (chunk + 1) * kChunk);
    for (size_t i = chunk * kChunk; i < end; ++i) {
      keys_.Write(i, &key);
      if (records_.data().checkable()) {
        records_.Compute(key, std::nullopt, &values);
      } else {
        records_.Draw(random, std::nullopt, &values);
      }
      if (!write(key, values)) return;
    }
  }

 private:
  static constexpr size_t kChunk = 16384;

  RecordModel records_;
  KeyList keys_;
  uint64_t seed_;
};

}  // namespace waltax::ycsb
