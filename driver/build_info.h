// How this program was compiled, and what of that spoils its numbers.
#pragma once

#include <string>
#include <vector>

namespace waltax {

// CMake's build type, e.g. "Release".
std::string BuildType();
// Whole sentences; empty for an optimised build without sanitizers.
std::vector<std::string> BuildWarnings();

}  // namespace waltax
