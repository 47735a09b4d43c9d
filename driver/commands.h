// The commands of a workload's program: load, run, check and help.
#pragma once

#include <functional>

#include "driver/flags.h"

namespace waltax {

struct Commands {
  CLI::App* load = nullptr;
  CLI::App* run = nullptr;
  CLI::App* check = nullptr;
  CLI::App* help = nullptr;
};

// Adds the four, with the flags of engine and run that every workload has.
Commands AddCommands(CLI::App* app, EngineFlags* engine, RunFlags* run);

// What each command does; returns the program's exit code.
struct CommandBodies {
  std::function<int()> load;
  std::function<int()> run;
  std::function<int()> check;
};

// Parses the command line and does what it asks for; returns the exit code.
int Obey(CLI::App& app, const Commands& commands, const CommandBodies& bodies,
         int argc, const char* const* argv);

}  // namespace waltax
