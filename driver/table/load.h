// The rows of a data set on their way into the tables of any store. Each store
// loads them itself: driver/rocksdb/tables.h, driver/sql/tables.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "driver/table/table.h"

namespace waltax {

// What was loaded so far.
struct LoadedRows {
  uint64_t chunks = 0;
  std::vector<uint64_t> rows;  // by table
  uint64_t bytes = 0;          // of RocksDB's finished files
};

namespace table {

// Takes rows as RocksDB has them, those of a table in the order of their keys.
// The first failure stays, and what comes after it is dropped.
class RowSink {
 public:
  virtual ~RowSink() = default;
  // `table` is its place among the workload's.
  virtual void Put(size_t table, std::string_view key,
                   std::string_view value) = 0;
  // All rows so far are to be in before those that follow.
  virtual void EndStretch() {}
  [[nodiscard]] virtual bool ok() const { return true; }
};

struct Load {
  const std::vector<Table>* tables = nullptr;  // of a server
  int threads = 1;
  // The numbers of the chunks in the order in which they are begun: what takes
  // longest should not come last.
  std::vector<uint64_t> chunks;
  // Writes the rows of a chunk. Called on any thread; its rows must depend on
  // the number alone, so that the data is the same whatever `threads` is, and
  // its keys must not lie between those of another chunk.
  std::function<void(uint64_t number, RowSink* sink)> write;
  // Called about every second on the calling thread.
  std::function<void(const LoadedRows&)> report = [](const LoadedRows&) {};
};

}  // namespace table
}  // namespace waltax
