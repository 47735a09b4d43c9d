// What the rows of tables hold. All of it follows from the seed, the table, the
// row's number and, of a text, the stamp of the write that it begins with: so a
// check needs no copy of what was written.
//
//   text  : stamp drawn...   `drawn` as often as it takes, the last one cut
//   stamp : 11 letters
//
// A text shorter than its stamp has none, and is not checked.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/mix/file.h"

namespace waltax::mix {

// The stamp of all that no update wrote.
inline constexpr uint64_t kLoaded = 0;

// A column of a row. A text points into whatever the row was read from.
struct Cell {
  // Hands over the one that the column has.
  template <typename Take>
  void Give(const Column& column, const Take& take) const {
    column.type == Type::kInt ? take(number) : take(text);
  }

  int64_t number = 0;
  std::string_view text;
};

// A row by its columns, those of its key among them, and memory for its texts.
struct Row {
  void Fit(size_t columns) {
    if (cells.size() == columns) return;
    cells.resize(columns);
    texts.resize(columns);
  }

  std::vector<Cell> cells;
  std::vector<std::string> texts;
};

// Another number of each number, with all bits mixed.
uint64_t Mixed(uint64_t number);

// Thread-safe.
class Values {
 public:
  // `mix` outlives it.
  Values(const Mix& mix, uint64_t seed);
  ~Values();

  // What stands in the key for a row's number, and the number again; nothing of
  // what no row can have.
  [[nodiscard]] uint64_t KeyOf(size_t table, uint64_t number) const;
  [[nodiscard]] std::optional<uint64_t> NumberOf(size_t table,
                                                 uint64_t key) const;
  // The same of a key that is a text, which is appended.
  void AppendTextKey(size_t table, uint64_t number, std::string* out) const;
  [[nodiscard]] std::optional<uint64_t> NumberOfText(
      size_t table, std::string_view key) const;
  // The number of a row that never is: the `any`th of many.
  [[nodiscard]] uint64_t Missing(size_t table, uint64_t any) const;

  // A number that no step set.
  [[nodiscard]] int64_t Initial(size_t table, size_t column,
                                uint64_t number) const;
  // All columns of a row; texts have this stamp.
  void Make(size_t table, uint64_t number, uint64_t stamp, Row* row) const;
  // One text of it.
  void Renew(size_t table, size_t column, uint64_t number, uint64_t stamp,
             Row* row) const;
  // The stamp of a text; nothing when it is not what was written to this row.
  [[nodiscard]] std::optional<uint64_t> StampOf(size_t table, size_t column,
                                                uint64_t number,
                                                std::string_view text) const;

  [[nodiscard]] const Mix& mix() const { return mix_; }
  // Rows that a load writes into this store; without a function, all.
  std::function<bool(uint64_t number)> is_here;

 private:
  // What a column of a row is made of.
  [[nodiscard]] uint64_t Bits(size_t table, size_t column, uint64_t number,
                              uint64_t stamp) const {
    return Mixed(number ^ Mixed(stamp ^ salt_ ^ (table << 16 | column)));
  }
  // Where the text's letters are cut from.
  [[nodiscard]] const std::string& PoolOf(const Column& column) const {
    return column.type == Type::kText ? letters_ : bytes_;
  }

  const Mix& mix_;
  uint64_t salt_;
  std::vector<std::unique_ptr<class Unhashed>> unhashed_;  // by table
  std::string bytes_;                                      // any
  std::string letters_;  // for texts of letters
};

}  // namespace waltax::mix
