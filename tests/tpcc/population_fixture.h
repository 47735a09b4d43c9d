// One loaded warehouse, and what its columns may hold.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>
#include <utility>

#include "tests/tpcc/row_store.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {

inline constexpr Timestamp kLoadedAt = 1'700'000'000'000;

// Smallest and largest value of a column.
class Range {
 public:
  void Add(int64_t value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] std::pair<int64_t, int64_t> Ends() const { return {low, high}; }

 private:
  int64_t low = INT64_MAX;
  int64_t high = INT64_MIN;
};
using Ends = std::pair<int64_t, int64_t>;

inline bool IsAlphanumeric(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return letter < 128 && std::isalnum(letter) != 0;
  });
}

inline bool IsNumeric(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char letter) {
    return letter >= '0' && letter <= '9';
  });
}

inline bool HasText(std::string_view text, size_t low, size_t high) {
  return text.size() >= low && text.size() <= high && IsAlphanumeric(text);
}

inline bool IsAddress(const Address& address) {
  return HasText(address.street_1, 10, 20) &&
         HasText(address.street_2, 10, 20) && HasText(address.city, 10, 20) &&
         HasText(address.state, 2, 2) && address.zip.size() == 9 &&
         IsNumeric(address.zip) && address.zip.ends_with("11111");
}

class PopulationTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    store_ = std::make_unique<RowStore>(PopulationOptions{1, 7, kLoadedAt});
  }
  static void TearDownTestSuite() { store_.reset(); }

  // Calls visit(key, row) for each row.
  template <typename Row, typename Visit>
  static void ForEach(Table table, Visit visit) {
    for (const auto& [key, value] : store_->rows(table)) {
      Row row;
      ASSERT_TRUE(DecodeRow(value, &row));
      visit(rocksdb::Slice(key), row);
    }
  }
  static size_t Count(Table table) { return store_->rows(table).size(); }

  inline static std::unique_ptr<RowStore> store_;
};

}  // namespace waltax::tpcc
