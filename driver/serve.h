// The driver program's side of the session protocol: commands on stdin, events
// on stdout, one JSON object a line. The commands:
//   {"cmd":"run","warmup_s":0.5,"measure_s":2,"requests":0}
// of which all but measure_s (or requests) may be left out;
//   {"cmd":"check"}
//   {"cmd":"quit"}
// Units are the last word of each key of an event.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/engine.h"
#include "driver/flags.h"
#include "driver/slice_runner.h"
#include "driver/workload.h"

namespace waltax {

struct Command {
  enum class Kind { kRun, kCheck, kQuit };
  Kind kind = Kind::kQuit;
  SliceRequest slice;  // of kRun
};

// Fails on what is none of the commands above.
Status ParseCommand(const std::string& line, Command* command);

// Prints one line on stdout and flushes it, because whoever reads it waits for
// it.
void PrintEvent(const nlohmann::json& event);

nlohmann::json CheckEvent(const CheckResult& result, double seconds);

// Prints `ready`, then obeys commands until `quit` or the end of stdin.
// Returns the exit code: 0, 1 when a slice or the check could not be carried
// out, 2 when a command was malformed. Worker threads block between slices.
int Serve(const char* program, Workload& workload, const Engines& engines,
          const RunFlags& flags);

}  // namespace waltax
