// A table of a workload, said once: its key, its columns with their types, and
// its indexes. A row is the bytes that RocksDB has of it: a key, whose parts
// this says, and a value (columns.h). A server's tables hold the same rows, as
// driver/sql/tables.h makes and reads them.
//
//   key  : part...
//   part : number          big-endian, so that keys sort
//        | ~number         so that the largest is the first
//        | text 0
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/table/columns.h"

namespace waltax::table {

struct KeyPart {
  std::string_view name;  // as a column's
  size_t bytes = 0;       // 1, 4 or 8 of a number; 0: a text
  // What sentences call it: "warehouse"; empty: they leave it out.
  const char* label = "";
  uint64_t most = UINT64_MAX;  // of a number that has a label; the least is 1
  const char* sql = "";        // what a server's column has behind its type
  bool largest_first = false;
};

// Of a server's table; RocksDB has a table in its place.
struct Index {
  std::string_view name;
  std::string_view columns;
  bool reversed = false;  // in MyRocks
  // It is made of the rows once all are there: what it gets of a chunk lies
  // between what it gets of others, which bulk loads of MyRocks must not.
  bool after_load = false;
};

// A column of a value without its struct.
struct StoredColumn {
  std::string_view name;
  Type type;
  size_t bytes = 0;  // of a number; 0: a text
  bool is_signed = false;
};

struct Table {
  std::string_view name;    // of the column family
  std::string_view server;  // of the server's table
  std::string_view prefix;  // of the names of its columns there
  std::vector<KeyPart> key;
  std::vector<StoredColumn> columns;
  // Not redundant: a table without indexes is one that does not name them.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::vector<Index> indexes = {};
  // Of a table whose rows are those of an index of the server's table.
  const char* index = "";
  // The part of the key that a server's primary key begins with.
  size_t lead = 0;

  [[nodiscard]] bool is_index() const { return *index != '\0'; }
};

template <HasColumns Row>
void AddColumnsOf(std::vector<StoredColumn>* all) {
  const auto add = [all]<typename Value>(const Column<Row, Value>& column) {
    if constexpr (HasColumns<Value>) {
      AddColumnsOf<Value>(all);
    } else {
      const bool is_text = std::is_same_v<Value, std::string_view>;
      all->push_back({column.name, column.type, is_text ? 0 : sizeof(Value),
                      std::is_signed_v<Value>});
    }
  };
  std::apply([&](const auto&... column) { (add(column), ...); },
             Row::Columns());
}
template <HasColumns Row>
std::vector<StoredColumn> ColumnsOf() {
  std::vector<StoredColumn> all;
  AddColumnsOf<Row>(&all);
  return all;
}

// The number that is these bytes, which are big-endian and at most 8.
uint64_t NumberOf(std::string_view bytes);

// The number that is the `i`th part of a key. REQUIRES: KeyFault() has found
// none in its length.
uint64_t PartOf(const Table& table, std::string_view key, size_t i);

// What is wrong with a key, or nothing: its length, or a number that no row of
// the table can have.
std::string KeyFault(const Table& table, std::string_view key);

// "warehouse 1: district 2: order 3: line 4". REQUIRES: as PartOf().
std::string PlaceOf(const Table& table, std::string_view key);

// The keys from those that begin with `first` to those that begin with `last`.
struct KeyRange {
  KeyRange() = default;  // all
  template <std::convertible_to<std::string_view> Prefix>
  KeyRange(const Prefix& prefix)  // NOLINT(google-explicit-constructor)
      : KeyRange(prefix, prefix) {}
  KeyRange(std::string_view first, std::string_view last)
      : first(first), last(last) {}

  std::string first;
  std::string last;
};
// The first key behind those that begin with `prefix`; empty: there is none.
std::string KeyBehind(std::string prefix);

// Called with each row of a scan.
using Visit = std::function<void(std::string_view key, std::string_view value)>;

}  // namespace waltax::table
