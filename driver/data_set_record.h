// What a data set says about itself: a JSON object that its store keeps. A load
// writes it last, so that a data set without it is a load that did not finish.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/engine.h"
#include "driver/status.h"

namespace waltax {

// Makes the data set whole: adds `workload` and `layout` to `record`.
Status WriteDataSetRecord(Engine& engine, const std::string& workload,
                          int layout, nlohmann::json record);

// Fails (usage) when it is missing, or of another workload or layout.
Status ReadDataSetRecord(Engine& engine, const std::string& workload,
                         int layout, nlohmann::json* record);

}  // namespace waltax
