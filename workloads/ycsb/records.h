// What fills a record's fields.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

}  // namespace waltax::ycsb
