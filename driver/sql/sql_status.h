// How a statement ended, in the server's words.
#pragma once

#include <string>

#include "driver/retry.h"

namespace waltax::mariadb {

struct SqlStatus {
  unsigned code = 0;  // of the server (1213) or the client library (2013)
  std::string message;

  [[nodiscard]] bool ok() const { return code == 0; }
};

// Whether another transaction was in the way, so that trying again may help;
// then it is counted.
bool CountConflict(const SqlStatus& status, Conflicts* conflicts);

// Whether no later statement can succeed: the server is gone, or its disk is
// full or broken.
[[nodiscard]] bool IsFatal(const SqlStatus& status);

// "1205: Lock wait timeout exceeded".
std::string ToString(const SqlStatus& status);

}  // namespace waltax::mariadb
