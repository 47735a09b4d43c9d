// The records that a load writes, in the order of their keys.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "driver/random.h"
#include "workloads/ycsb/records.h"

namespace waltax::ycsb {

// The keys of the records that a load writes, all or one node's, in the order
// of a table, at 16 bytes each. Records whose keys are equal, by chance of the
// hash, count once.
class KeyList {
 public:
  explicit KeyList(const DataOptions& data);

  [[nodiscard]] size_t size() const { return sorted_.size(); }
  void Write(size_t i, std::string* key) const {
    format_.WriteShown(KeyFormat::ShownOf(sorted_[i]), key);
  }

 private:
  KeyFormat format_;
  std::vector<std::tuple<uint64_t, int>> sorted_;
};

// Thread-safe.
class Population {
 public:
  // Equal seeds give equal records.
  Population(const DataOptions& data, uint64_t seed)
      : records_(data), keys_(data), seed_(seed) {}

  [[nodiscard]] size_t chunks() const {
    return (keys_.size() + kChunk - 1) / kChunk;
  }
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

// What was loaded so far.
struct RecordsLoaded {
  uint64_t records = 0;
  uint64_t bytes = 0;  // of files, or of what was sent
};

// What a load of any store is told.
struct Load {
  DataOptions data;
  uint64_t seed = 1;
  int threads = 1;
  // Called about every second, from the calling thread.
  std::function<void(const RecordsLoaded&)> report = [](const auto&) {};
};

// What the threads of a load have written together. Thread-safe.
class LoadTally {
 public:
  void Add(const RecordsLoaded& part) {
    records_ += part.records;
    bytes_ += part.bytes;
  }
  [[nodiscard]] RecordsLoaded now() const { return {records_, bytes_}; }

 private:
  std::atomic<uint64_t> records_ = 0;
  std::atomic<uint64_t> bytes_ = 0;
};

}  // namespace waltax::ycsb
