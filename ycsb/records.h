// What fills a record's fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/random.h"
#include "ycsb/draws.h"
#include "ycsb/options.h"

namespace waltax::ycsb {

// Values for the fields of one record: of all, or of one. The views are into
// `bytes`.
struct Values {
  std::optional<uint32_t> field;
  std::vector<std::string_view> fields;
  std::string bytes;
};

// Thread-safe.
class RecordModel {
 public:
  explicit RecordModel(const DataOptions& data);

  // Values that a generator draws.
  void Draw(Random& random, std::optional<uint32_t> field,
            Values* values) const;
  // Those that a record must have. REQUIRES: data().checkable().
  void Compute(std::string_view key, std::optional<uint32_t> field,
               Values* values) const;
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
  void Fill(std::optional<uint32_t> field, Values* values,
            const Append& append) const;

  DataOptions data_;
  std::vector<std::string> names_;
  std::optional<Lengths> lengths_;  // none: all are fieldlength
};

}  // namespace waltax::ycsb
