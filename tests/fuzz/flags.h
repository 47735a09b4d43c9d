// A program's command line under the fuzzer: what Program::Main parses, and
// what the workload's Prepare() resolves. Nothing is opened.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "driver/program/program.h"
#include "fuzz.h"

namespace waltax::fuzz {

// The flags of all workloads, and `Own` ones: OwnFlags has Add(commands), and
// Resolve(run). Made once, since that takes longer than any command line.
template <typename OwnFlags>
class CommandLine {
 public:
  explicit CommandLine(const char* name) : name_(name), app_("", name) {
    app_.require_subcommand(1);
    const Commands commands = {app_.add_subcommand("load"),
                               app_.add_subcommand("run"),
                               app_.add_subcommand("check")};
    app_.add_subcommand("help");
    for (CLI::App* command : {commands.load, commands.run, commands.check}) {
      AddEngineFlags(command, &flags_.engine);
      AddRunFlags(command, &flags_.run);
      mariadb::AddServerFlags(command, &flags_.server);
    }
    flags_.own.Add(commands);
  }

  // Every command line ends in 0, or in 2 with one line that begins with the
  // program's name.
  void Obey(const uint8_t* data, size_t size) {
    flags_ = Flags();
    const std::vector<std::string> words = Words(data, size);
    std::vector<const char*> argv = {name_};
    for (const std::string& word : words) argv.push_back(word.c_str());
    Printed printed;
    auto code =
        ParseOrExplain(app_, static_cast<int>(argv.size()), argv.data());
    if (!code) code = Explain(name_, flags_.own.Resolve(flags_.run));
    RequireAnswer(*code, printed.Err());
  }

 private:
  struct Flags {
    EngineFlags engine;
    RunFlags run;
    mariadb::ServerFlags server;
    OwnFlags own;
  };

  void RequireAnswer(int code, std::string said) const {
    if (code == 0) {
      Require(said.empty(), "nothing on stderr with exit code 0", said);
      return;
    }
    Require(code == 2, "exit code 0 or 2", std::to_string(code));
    Require(said.ends_with('\n'), "a line on stderr", said);
    said.pop_back();
    Require(IsOneLine(said), "one line without control characters", said);
    Require(said.starts_with(std::string(name_) + ": "), "the program's name",
            said);
  }

  const char* name_;
  Flags flags_;
  CLI::App app_;
};

}  // namespace waltax::fuzz
