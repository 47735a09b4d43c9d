// Which graph a database holds.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/status.h"
#include "linkbench/options.h"

namespace waltax::linkbench {

inline constexpr char kWorkload[] = "linkbench";

struct DataSet {
  uint64_t seed = 0;
  uint64_t loaded_at_ms = 0;  // the newest link time can be
  std::string data_hash;
  uint64_t nodes = 0;
  uint64_t links = 0;
  uint64_t counts = 0;
  uint64_t index = 0;
};

// The record, without where it is kept.
nlohmann::json ToRecord(const GraphOptions& graph, const DataSet& data_set);

// Fails when the record is of a graph that was loaded with other flags than
// these; names the flag, both values, and `where` the data set is.
Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const GraphOptions& graph, const std::string& data_hash);

}  // namespace waltax::linkbench
