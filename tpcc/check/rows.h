// Reads the rows of a table for a check, and names those that cannot be rows of
// it: whoever gets a row can rely on its key and its columns.
#pragma once

#include <fmt/format.h>
#include <rocksdb/slice.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "driver/findings.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {

// The value of an index row and of a NEW-ORDER row.
struct EmptyRow {
  static constexpr auto Columns() { return std::tuple(); }
};

// The value of the row that holds a district's low-water mark.
struct OldestNewOrder {
  uint32_t o_id = 0;

  static constexpr auto Columns() {
    return std::tuple(Column{"o_id", kInt, &OldestNewOrder::o_id});
  }
};

// "warehouse 1: district 2: order 3: line 4". REQUIRES: the key has no fault.
inline std::string Place(Table table, const rocksdb::Slice& key) {
  return PlaceOf(TableOf(table), key.ToStringView());
}

// Thread-safe, as are the store and the findings.
class RowReader {
 public:
  RowReader(const Store& store, Findings* findings)
      : store_(store), findings_(*findings) {}

  [[nodiscard]] bool has_low_water_marks() const {
    return store_.has_low_water_marks();
  }

  // Calls visit(key, value) for each row below `prefix`, and counts them.
  template <typename Visit>
  void ReadValues(Table table, const rocksdb::Slice& prefix,
                  Visit visit) const {
    GoodKeys<Visit> rows(this, table, visit);
    findings_.Fail(store_.Scan(table, prefix.ToStringView(), &rows));
    findings_.Count(std::string(kTableNames[static_cast<size_t>(table)]),
                    rows.seen());
  }

  // Calls visit(key, row) for each row below `prefix`.
  template <typename Row, typename Visit>
  void Read(Table table, const rocksdb::Slice& prefix, Visit visit) const {
    ReadValues(table, prefix,
               [&](const rocksdb::Slice& key, std::string_view value) {
                 Row row;
                 if (Decode(table, key, value, &row)) visit(key, row);
               });
  }

  // Reports a value that is not such a row.
  template <typename Row>
  bool Decode(Table table, const rocksdb::Slice& key, std::string_view value,
              Row* row) const {
    if (DecodeRow(value, row)) return true;
    Report(table, Place(table, key) + ": the value does not decode");
    return false;
  }

 private:
  // Hands on the rows whose key is in order, and reports the others.
  template <typename Take>
  class GoodKeys : public RowVisitor {
   public:
    GoodKeys(const RowReader* reader, Table table, Take& take)
        : reader_(*reader), table_(table), take_(take) {}
    void Visit(std::string_view key, std::string_view value) override {
      ++seen_;
      const std::string fault = KeyFault(TableOf(table_), key);
      if (fault.empty()) {
        take_(rocksdb::Slice(key), value);
      } else {
        reader_.Report(table_, fault);
      }
    }
    [[nodiscard]] uint64_t seen() const { return seen_; }

   private:
    const RowReader& reader_;
    Table table_;
    Take& take_;
    uint64_t seen_ = 0;
  };

  void Report(Table table, const std::string& what) const {
    findings_.Violation(
        fmt::format("{}: {}", kTableNames[static_cast<size_t>(table)], what));
  }

  const Store& store_;
  Findings& findings_;
};

}  // namespace waltax::tpcc
