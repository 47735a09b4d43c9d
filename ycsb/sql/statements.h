// The statements of the six operations. Each names the columns that it wants,
// of one field or of all, where the original reads all (defect Y8).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ycsb/records.h"

namespace waltax::ycsb::sql {

// A field's name as that of a column.
std::string Quoted(const std::string& name);

inline constexpr char kTable[] = "usertable";
// The same records of all nodes, as every node's server shows them.
inline constexpr char kTableOfAllNodes[] = "usertable_all";

// Those of a table with these fields; `field` is which, empty: all.
class Statements {
 public:
  explicit Statements(std::vector<std::string> names,
                      std::string table = kTable)
      : names_(std::move(names)), table_(std::move(table)) {}

  // The counter and the fields of a key.
  [[nodiscard]] std::string Read(std::optional<uint32_t> field) const;
  // The same, which stays locked until the transaction ends.
  [[nodiscard]] std::string Lock(std::optional<uint32_t> field) const;
  // The fields, then the key.
  [[nodiscard]] std::string Update(std::optional<uint32_t> field) const;
  // The same, which counts itself.
  [[nodiscard]] std::string Modify(std::optional<uint32_t> field) const;
  // The key, then all fields.
  [[nodiscard]] std::string Insert() const;
  [[nodiscard]] std::string Replace() const;
  // From a key on, so many: the key and the fields.
  [[nodiscard]] std::string Scan(std::optional<uint32_t> field) const;
  // All rows from a key on and, with `ends`, before another one: the key, the
  // counter, the fields.
  [[nodiscard]] std::string All(bool ends) const;

 private:
  [[nodiscard]] std::string Columns(std::optional<uint32_t> field) const;
  [[nodiscard]] std::string Assignments(std::optional<uint32_t> field) const;
  [[nodiscard]] std::string Row(const char* verb) const;

  std::vector<std::string> names_;
  std::string table_;
};

}  // namespace waltax::ycsb::sql
