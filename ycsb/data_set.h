// Which records a database holds.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/status.h"
#include "ycsb/options.h"

namespace waltax::ycsb {

inline constexpr char kWorkload[] = "ycsb";
inline constexpr int kLayoutVersion = 1;

// The record of a data set, without where it is kept.
nlohmann::json ToRecord(const DataOptions& data, uint64_t seed);

// Fails when the record is of a data set that was loaded with other flags than
// these; names the flag, both values, and `where` the data set is.
Status CompareRecord(const nlohmann::json& record, const std::string& where,
                     const DataOptions& data);

}  // namespace waltax::ycsb
