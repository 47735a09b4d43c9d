// What a request costs before it reaches the store.
#pragma once

#include "driver/workload.h"

namespace waltax {

// CPU microseconds per request of drawing its inputs, timing it and recording
// it, measured on the calling thread for some 30 ms with a spare worker whose
// requests are drawn and not executed.
double GeneratorCpuUsPerOp(Workload& workload, uint64_t seed);

}  // namespace waltax
