// Why attempts at a transaction were rolled back and made again.
#pragma once

#include <cstdint>

namespace waltax {

struct Conflicts {
  uint32_t busy = 0;       // a row changed after the snapshot
  uint32_t timed_out = 0;  // a lock was not to be had in time
  uint32_t deadlock = 0;
  uint32_t try_again = 0;  // the engine's memory of recent writes was too short

  [[nodiscard]] uint32_t total() const {
    return busy + timed_out + deadlock + try_again;
  }
};

}  // namespace waltax
