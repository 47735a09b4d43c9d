// The initial population as plain rows that a test can change at will.
#pragma once

#include <gtest/gtest.h>
#include <rocksdb/slice.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tpcc/population.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// A store without transactions.
class RowStore : public Store, public RowSink {
 public:
  using Rows = std::map<std::string, std::string, std::less<>>;

  explicit RowStore(const PopulationOptions& options) {
    for (uint64_t i = 0; i <= options.warehouses; ++i) {
      WriteChunk(options, i, this);
    }
  }

  // REQUIRES: as the sink of WriteChunk(): rows of a table ascend.
  void Put(size_t table, std::string_view key,
           std::string_view value) override {
    Rows& rows = tables_[table];
    const size_t before = rows.size();
    rows.emplace_hint(rows.end(), key, value);
    EXPECT_EQ(rows.size(), before + 1) << "a key was written twice";
    EXPECT_EQ(rows.rbegin()->first, key) << "keys do not ascend";
  }

  [[nodiscard]] const Rows& rows(Table table) const {
    return tables_[static_cast<size_t>(table)];
  }

  // The row, which must be there; its text is valid until it changes.
  template <typename Row>
  Row Get(Table table, const rocksdb::Slice& key) const {
    Row row;
    const auto found = rows(table).find(key.ToStringView());
    EXPECT_TRUE(found != rows(table).end() && DecodeRow(found->second, &row));
    return row;
  }

  void Write(Table table, const rocksdb::Slice& key, std::string value) {
    Rows& rows = tables_[static_cast<size_t>(table)];
    const auto found = rows.find(key.ToStringView());
    std::optional<std::string> before;
    if (found != rows.end()) before = found->second;
    undo_.push_back({table, key.ToString(), before});
    rows[key.ToString()] = std::move(value);
  }

  template <typename Row>
  void WriteRow(Table table, const rocksdb::Slice& key, const Row& row) {
    std::string value;
    EncodeRow(row, &value);
    Write(table, key, value);
  }

  // Writes the row anew after `change(&row)`.
  template <typename Row, typename Function>
  void Change(Table table, const rocksdb::Slice& key, Function change) {
    Row row = Get<Row>(table, key);
    change(&row);
    WriteRow(table, key, row);
  }

  void Erase(Table table, const rocksdb::Slice& key) {
    Rows& rows = tables_[static_cast<size_t>(table)];
    const auto found = rows.find(key.ToStringView());
    ASSERT_TRUE(found != rows.end());
    undo_.push_back({table, found->first, found->second});
    rows.erase(found);
  }

  // Takes back what was written and erased since the population.
  void Restore() {
    for (auto change = undo_.rbegin(); change != undo_.rend(); ++change) {
      Rows& rows = tables_[static_cast<size_t>(change->table)];
      if (change->before) {
        rows[change->key] = *change->before;
      } else {
        rows.erase(change->key);
      }
    }
    undo_.clear();
  }

  std::unique_ptr<Session> NewSession(uint64_t) override { return nullptr; }
  Status Scan(Table table, std::string_view prefix,
              const table::Visit& visit) const override {
    const Rows& all = rows(table);
    for (auto row = all.lower_bound(prefix);
         row != all.end() && row->first.starts_with(prefix); ++row) {
      visit(row->first, row->second);
    }
    return Status::Ok();
  }
  [[nodiscard]] std::string_view isolation() const override { return "none"; }

 private:
  struct Undo {
    Table table;
    std::string key;
    std::optional<std::string> before;
  };

  std::array<Rows, kTables> tables_;
  std::vector<Undo> undo_;
};

}  // namespace waltax::tpcc
