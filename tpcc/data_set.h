// What a TPC-C database says about itself.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tpcc/population.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

inline constexpr std::string_view kWorkload = "tpcc";

struct DataSet {
  uint32_t warehouses = 0;
  uint64_t seed = 0;
  uint32_t c_last = 0;  // C-Load: a run chooses its own by it
  Timestamp loaded_at_ms = 0;
  std::array<uint64_t, kTables> rows{};  // of each table after the load
};

// `rows` is by table.
DataSet DescribeLoad(const PopulationOptions& options,
                     const std::vector<uint64_t>& rows);

// As JSON, wherever that is kept.
nlohmann::json ToRecord(const DataSet& data_set);
// Returns what is wrong with `record`, or nothing.
std::string FromRecord(const nlohmann::json& record, DataSet* data_set);

}  // namespace waltax::tpcc
