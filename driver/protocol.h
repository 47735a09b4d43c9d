// Commands of a session, one JSON object a line:
//   {"cmd":"run","warmup_s":0.5,"measure_s":2,"requests":0,"one_more":0,
//    "progress_s":0}
// of which all but measure_s (or requests) may be left out;
//   {"cmd":"check"}
//   {"cmd":"quit"}
#pragma once

#include <string>

#include "driver/slice.h"
#include "driver/status.h"

namespace waltax {

struct Command {
  enum class Kind { kRun, kCheck, kQuit };
  Kind kind = Kind::kQuit;
  SliceRequest slice;  // of kRun
};

// Fails on what is none of the commands above.
Status ParseCommand(const std::string& line, Command* command);

}  // namespace waltax
