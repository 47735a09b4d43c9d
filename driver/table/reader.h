// Reads the rows of tables for a check, and names those that cannot be rows of
// them: whoever gets a row can rely on its key and its columns.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/findings.h"
#include "driver/status.h"
#include "driver/table/table.h"

namespace waltax::table {

// Thread-safe, as are the scan and the findings. `Id` is an enum of the places
// of the tables.
template <typename Id>
class RowReader {
 public:
  // Shows the rows of a table as a store has them.
  using Scan =
      std::function<Status(Id id, const KeyRange& range, const Visit& visit)>;

  RowReader(const std::vector<Table>& tables, Scan scan, Findings* findings)
      : tables_(tables), scan_(std::move(scan)), findings_(*findings) {}

  // Calls take(key, row) with each row of the range, and counts them. A row
  // says what table it is of, as `kTable`.
  template <typename Row, typename Take>
  void Read(const KeyRange& range, const Take& take) const {
    constexpr Id id = Row::kTable;
    uint64_t seen = 0;
    const Table& table = tables_[static_cast<size_t>(id)];
    findings_.Fail(
        scan_(id, range, [&](std::string_view key, std::string_view value) {
          ++seen;
          Row row;
          const std::string fault = KeyFault(table, key);
          if (!fault.empty()) {
            Report(table, fault);
          } else if (DecodeRow(value, &row)) {
            take(key, row);
          } else {
            ReportGarbled(id, key);
          }
        }));
    findings_.Count(std::string(table.name), seen);
  }

  // The value of this row is none of the table.
  void ReportGarbled(Id id, std::string_view key) const {
    const Table& table = tables_[static_cast<size_t>(id)];
    Report(table, PlaceOf(table, key) + ": the value does not decode");
  }

 private:
  void Report(const Table& table, const std::string& what) const {
    findings_.Violation(fmt::format("{}: {}", table.name, what));
  }

  const std::vector<Table>& tables_;
  Scan scan_;
  Findings& findings_;
};

}  // namespace waltax::table
