#include "tpcc/data_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tpcc/draws.h"
#include "tpcc/keys.h"

namespace waltax::tpcc {

namespace {

// The library would cut -1 or 1.5 to a whole number. Returns what is wrong.
std::string DecodeNumber(const nlohmann::json& record, const std::string& name,
                         uint64_t low, uint64_t high, uint64_t* number) {
  const auto found = record.find(name);
  if (found == record.end()) return name + " is missing";
  if (found->is_number_unsigned()) {
    *number = found->get<uint64_t>();
    if (*number >= low && *number <= high) return "";
  }
  return fmt::format("{} is {}, want a whole number from {} to {}", name,
                     found->dump(), low, high);
}

}  // namespace

DataSet DescribeLoad(const PopulationOptions& options,
                     const std::vector<uint64_t>& rows) {
  DataSet data_set;
  data_set.warehouses = options.warehouses;
  data_set.seed = options.seed;
  data_set.c_last = LastNameConstant(options.seed);
  data_set.loaded_at_ms = options.loaded_at_ms;
  std::copy(rows.begin(), rows.end(), data_set.rows.begin());
  return data_set;
}

nlohmann::json ToRecord(const DataSet& data_set) {
  nlohmann::json rows;
  for (size_t i = 0; i < kTables; ++i) {
    rows[std::string(kTableNames[i])] = data_set.rows[i];
  }
  return {{"warehouses", data_set.warehouses},
          {"seed", data_set.seed},
          {"c_last", data_set.c_last},
          {"loaded_at_ms", data_set.loaded_at_ms},
          {"rows", rows}};
}

std::string FromRecord(const nlohmann::json& record, DataSet* data_set) {
  constexpr uint64_t kAny = UINT64_MAX;
  uint64_t warehouses = 0;
  uint64_t c_last = 0;
  std::string fault =
      DecodeNumber(record, "warehouses", 1, kMostWarehouses, &warehouses);
  if (fault.empty()) {
    fault = DecodeNumber(record, "c_last", 0, kLastNameField.a, &c_last);
  }
  if (fault.empty()) {
    fault = DecodeNumber(record, "seed", 0, kAny, &data_set->seed);
  }
  if (fault.empty()) {
    fault =
        DecodeNumber(record, "loaded_at_ms", 0, kAny, &data_set->loaded_at_ms);
  }
  const auto rows = record.value("rows", nlohmann::json());
  for (size_t i = 0; i < kTables && fault.empty(); ++i) {
    fault = DecodeNumber(rows, std::string(kTableNames[i]), 0, kAny,
                         &data_set->rows[i]);
  }
  data_set->warehouses = static_cast<uint32_t>(warehouses);
  data_set->c_last = static_cast<uint32_t>(c_last);
  return fault;
}

}  // namespace waltax::tpcc
