// Rows as bytes: what RocksDB has of them, and what sorts them.
//
//   key    : column... number     the columns that a key begins with
//   number : 4 or 8 bytes, and "0" up to the key's size
//          | text digits          of a key that is a text
//   value  : column...            without those of the key
//   column : bytes of an int      least first; in a key greatest first, with
//                                 its sign turned, so that keys sort
//          | text                 as long as all are, or the last one
//          | length text          length in 2 bytes, or 4 of long ones
//          | length name length text      of a table whose rows have names,
//                                         lengths in 4 bytes, greatest first
//   entry  : column... key        of an index; a text there ends with 0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/mix/file.h"
#include "workloads/mix/values.h"

namespace waltax::mix {

// Thread-safe.
class Codec {
 public:
  // `values` outlive it.
  explicit Codec(const Values& values)
      : values_(values), tables_(values.mix().tables) {}

  // Each replaces what `out` held.
  void EncodeKey(size_t table, uint64_t number, std::string* out) const;
  void EncodeValue(size_t table, const Row& row, std::string* out) const;
  // REQUIRES: `row` is that with this number.
  void EncodeEntry(size_t table, size_t index, uint64_t number, const Row& row,
                   std::string* out) const;
  // Appends a column as a key or an entry has it.
  static void AppendOrdered(const Column& column, const Cell& cell,
                            std::string* out);

  // False when the bytes are none of a row of this table. Texts of the row
  // point into `value`.
  bool DecodeKey(size_t table, std::string_view key, uint64_t* number) const;
  bool DecodeValue(size_t table, uint64_t number, std::string_view value,
                   Row* row) const;
  // The bytes of a row's key at the end of an entry.
  [[nodiscard]] size_t KeyBytes(size_t table) const {
    return tables_[table].key_bytes;
  }

 private:
  void AppendKey(size_t table, uint64_t number, std::string* out) const;

  const Values& values_;
  const std::vector<Table>& tables_;
};

// What a load writes, in parts that threads share.
class LoadParts {
 public:
  struct Part {
    size_t table;
    size_t index;  // kNone: rows
    size_t order;  // of Add()
    uint64_t first;
    uint64_t end;
  };

  // `values` outlive it.
  explicit LoadParts(const Values& values) : values_(values), codec_(values) {}
  // The rows of a table, or the entries of an index, in the order of their
  // bytes, so many at a time.
  void Add(size_t table, size_t index, uint64_t most);

  [[nodiscard]] size_t size() const { return parts_.size(); }
  [[nodiscard]] const Part& operator[](size_t i) const { return parts_[i]; }
  // Calls each(number, row) with the rows of a part, until it returns false.
  template <typename Each>
  void ForAll(const Part& part, const Each& each) const {
    Row row;
    for (uint64_t i = part.first; i < part.end; ++i) {
      const auto& order = orders_[part.order];
      const uint64_t number = order ? (*order)[i] : i;
      values_.Make(part.table, number, kLoaded, &row);
      if (!each(number, row)) return;
    }
  }

 private:
  [[nodiscard]] std::optional<std::vector<uint64_t>> Sorted(size_t table,
                                                            size_t index) const;

  const Values& values_;
  Codec codec_;
  // Of Add(); none is that of the numbers.
  std::vector<std::optional<std::vector<uint64_t>>> orders_;
  std::vector<Part> parts_;
};

}  // namespace waltax::mix
