// What fills a record's fields, and the records that a load writes, in the
// order of their keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "driver/random.h"
#include "workloads/ycsb/draws.h"
#include "workloads/ycsb/options.h"

namespace waltax::ycsb {

// Appends `bytes` printable ones, drawn as the original draws them: six of each
// 32 random bits, which makes 6.25 bits of entropy a byte.
void AppendRandom(Random& random, size_t bytes, std::string* out);

// Appends what a field of a record holds when its content can be checked: the
// key, the field's name, and hashes of the text so far, cut at `bytes`.
void AppendDeterministic(std::string_view key, std::string_view field,
                         size_t bytes, std::string* out);

// Java's String.hashCode() of ASCII text, that of `text` behind a text whose
// hash is `before`.
int32_t JavaHash(std::string_view text, int32_t before = 0);

// A field by its number; empty: all.
using Field = std::optional<uint32_t>;

// Values for the fields of one record: of all, or of one. The views are into
// `bytes`.
struct Values {
  Field field;
  std::vector<std::string_view> fields;
  std::string bytes;
};

// Thread-safe.
class RecordModel {
 public:
  explicit RecordModel(const DataOptions& data);

  // Values that a generator draws.
  void Draw(Random& random, Field field, Values* values) const;
  // Those that a record must have. REQUIRES: data().checkable().
  void Compute(std::string_view key, Field field, Values* values) const;
  // Whether a field of a record holds what it must; of fields that were drawn,
  // whether they could have been.
  [[nodiscard]] bool Holds(std::string_view key, uint32_t field,
                           std::string_view found) const;

  [[nodiscard]] const DataOptions& data() const { return data_; }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  [[nodiscard]] uint32_t fields() const {
    return static_cast<uint32_t>(names_.size());
  }

 private:
  // Appends a field's bytes by `append(index)`, and the views of all.
  template <typename Append>
  void Fill(Field field, Values* values, const Append& append) const;

  DataOptions data_;
  std::vector<std::string> names_;
  std::optional<Lengths> lengths_;  // none: all are fieldlength
};

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

}  // namespace waltax::ycsb
