// Events of a session as JSON objects. Units are the last word of each key.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "driver/slice.h"
#include "driver/workload.h"

namespace waltax {

// Prints one line on stdout and flushes it, because whoever reads it waits for
// it.
void PrintEvent(const nlohmann::json& event);

// Operations that did not occur are left out of "operations". The throughput is
// what Workload::throughput() defines.
nlohmann::json SliceEvent(const SliceResult& result, const Workload& workload);

nlohmann::json ProgressEvent(double elapsed_s, uint64_t requests,
                             uint64_t errors);

nlohmann::json CheckEvent(const CheckResult& result, double seconds);

}  // namespace waltax
