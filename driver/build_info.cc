#include "driver/build_info.h"

namespace waltax {

std::string BuildType() { return WALTAX_BUILD_TYPE; }

std::vector<std::string> BuildWarnings() {
  std::vector<std::string> warnings;
#ifndef __OPTIMIZE__
  warnings.emplace_back(
      "the driver was built without optimisation: its own cost is several "
      "times too high, build with CMAKE_BUILD_TYPE=Release");
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  warnings.emplace_back(
      "the driver was built with sanitizers: its numbers mean nothing");
#endif
  return warnings;
}

}  // namespace waltax
