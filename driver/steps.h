// Numbered steps on several threads: the chunks of a load, the ranges of a
// check.
#pragma once

#include <cstdint>
#include <functional>

#include "driver/status.h"

namespace waltax {

// Calls step(number, thread) for the steps 0, 1, ... in about this order, on
// the threads 0, 1, ...; and `report`, about every second, on the calling one.
// Returns when all steps are done, or the first failure once every thread ended
// the step it was in.
Status RunSteps(
    int threads, uint64_t count,
    const std::function<Status(uint64_t number, int thread)>& step,
    const std::function<void()>& report = [] {});

}  // namespace waltax
