// Numbered steps on several threads: the chunks of a load, the ranges of a
// check.
#pragma once

#include <cstdint>
#include <functional>

#include "driver/status.h"

namespace waltax {

// Does one of the steps 0, 1, ...
using Step = std::function<Status(uint64_t number)>;

struct Steps {
  int threads = 1;
  uint64_t count = 0;
  // Called on each thread before its first step; makes what the thread does
  // them with. Threads take the steps in about their order.
  std::function<Status(Step* step)> begin;
  // Called about every second on the calling thread.
  std::function<void()> report = [] {};
};

// Returns when all steps are done, or the first failure once every thread ended
// the step it was in.
Status RunSteps(const Steps& steps);

// The same for a step that needs nothing of its thread.
inline Status RunSteps(int threads, uint64_t count, const Step& step) {
  return RunSteps({.threads = threads, .count = count, .begin = [&](Step* own) {
                     *own = step;
                     return Status::Ok();
                   }});
}

}  // namespace waltax
