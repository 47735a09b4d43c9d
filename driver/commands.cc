#include "driver/commands.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace waltax {

Commands AddCommands(CLI::App* app, EngineFlags* engine, RunFlags* run) {
  app->require_subcommand(1);
  const Commands commands = {
      app->add_subcommand("load", "fill an empty database"),
      app->add_subcommand("run", "run slices, commanded by stdin"),
      app->add_subcommand("check", "verify a data set"),
      app->add_subcommand("help", "show all commands and flags")};
  for (CLI::App* command : {commands.load, commands.run, commands.check}) {
    AddEngineFlags(command, engine);
    AddRunFlags(command, run);
  }
  return commands;
}

int Obey(CLI::App& app, const Commands& commands, const CommandBodies& bodies,
         int argc, const char* const* argv) {
  if (const auto exit_code = ParseOrExplain(app, argc, argv)) return *exit_code;
  if (*commands.load) return bodies.load();
  if (*commands.run) return bodies.run();
  if (*commands.check) return bodies.check();
  for (const CLI::App* command :
       {commands.load, commands.run, commands.check}) {
    fmt::print("{}\n", command->help());
  }
  return 0;
}

}  // namespace waltax
