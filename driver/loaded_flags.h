// Whether a run is told what its data set was loaded with.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/status.h"

namespace waltax {

// Fails (usage) at the first key of `wanted`, in their order, whose value is
// another one in `loaded`: names it as a flag, both values, and `where` the
// data set is. Both are objects of effective flags.
Status CompareLoadedFlags(const nlohmann::json& loaded,
                          const nlohmann::json& wanted,
                          const std::string& where);

// The same of one flag, by its name without dashes.
Status CompareLoadedFlag(const std::string& flag, const nlohmann::json& loaded,
                         const nlohmann::json& wanted,
                         const std::string& where);

}  // namespace waltax
