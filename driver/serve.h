// The driver program's side of the session protocol: commands on stdin, events
// on stdout, one JSON object a line.
#pragma once

#include "driver/engine.h"
#include "driver/flags.h"
#include "driver/workload.h"

namespace waltax {

// Prints `ready`, then obeys commands until `quit` or the end of stdin.
// Returns the exit code: 0, 1 when a slice or the check could not be carried
// out, 2 when a command was malformed. Worker threads block between slices.
int Serve(const char* program, Workload& workload, Engine& engine,
          const RunFlags& flags);

}  // namespace waltax
