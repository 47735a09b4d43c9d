#include "driver/flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <system_error>
#include <type_traits>

namespace waltax {
namespace {

constexpr int64_t kMaxThreads = 1024;
constexpr int64_t kMaxMegabytes = 1'000'000;

// What was typed, or read from stdin, neither moves a terminal's cursor nor
// begins a line: control characters (ASCII's, and U+0080 to U+009F) become "?".
std::string OneLine(const std::string& text) {
  std::string shown;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next =
        static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {
      shown += '?';
      ++i;
    } else {
      shown += byte < 0x20 || byte == 0x7F ? '?' : text[i];
    }
  }
  return shown;
}

// Without a description, which CLI11 would show in --help.
CLI::Validator Accepting(const std::string& wanted,
                         std::function<bool(const std::string&)> accepts) {
  return CLI::Validator(
      [wanted, accepts = std::move(accepts)](std::string& found) {
        if (accepts(found)) return std::string();
        return fmt::format("found \"{}\", want {}", found, wanted);
      },
      "");
}

// All of `text` is one number from `low` to `high` (so not "nan").
template <typename T>
bool IsNumberWithin(const std::string& text, T low, T high) {
  T number{};
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end && number >= low &&
         number <= high;
}

std::string ExplainParseError(const CLI::ParseError& error, CLI::App& app) {
  // By its number: where RocksDB has no run-time type information, we have
  // none.
  const auto kind = static_cast<CLI::ExitCodes>(error.get_exit_code());
  // What a flag accepts is said already.
  if (kind == CLI::ExitCodes::ValidationError) return error.what();
  if (kind != CLI::ExitCodes::ExtrasError) {
    return fmt::format("{}; --help, also behind a command, lists what it takes",
                       error.what());
  }
  const auto parsed = app.get_subcommands();
  std::vector<std::string> names;
  for (const CLI::Option* option :
       (parsed.empty() ? &app : parsed.front())->get_options()) {
    names.push_back(option->get_name());
  }
  return fmt::format("{}: found an unknown flag, want one of: {}",
                     app.remaining(/*recurse=*/true).front(),
                     fmt::join(names, " "));
}

}  // namespace

template <typename Number>
void AddNumber(CLI::App* app, const std::string& name, Number* value,
               BoundOf<Number> low, BoundOf<Number> high,
               const std::string& description) {
  const auto accepts = [low, high](const std::string& text) {
    return IsNumberWithin(text, low, high);
  };
  const char* const whole = std::is_same_v<Number, double> ? "" : "whole ";
  const std::string wanted =
      high == std::numeric_limits<BoundOf<Number>>::max()
          ? fmt::format("a {}number of at least {}", whole, low)
          : fmt::format("a {}number from {} to {}", whole, low, high);
  CLI::Option* option = app->add_option(name, *value, description)
                            ->check(Accepting(wanted, accepts))
                            ->type_name("N");
  if constexpr (std::is_arithmetic_v<Number>) option->capture_default_str();
}

template void AddNumber(CLI::App*, const std::string&, int*, int64_t, int64_t,
                        const std::string&);
template void AddNumber(CLI::App*, const std::string&, int64_t*, int64_t,
                        int64_t, const std::string&);
template void AddNumber(CLI::App*, const std::string&, uint64_t*, int64_t,
                        int64_t, const std::string&);
template void AddNumber(CLI::App*, const std::string&, std::optional<uint64_t>*,
                        int64_t, int64_t, const std::string&);
template void AddNumber(CLI::App*, const std::string&, double*, double, double,
                        const std::string&);

void AddChoice(CLI::App* app, const std::string& name, std::string* value,
               std::vector<std::string> accepted,
               const std::string& description) {
  const std::string choices = fmt::format("{}", fmt::join(accepted, "|"));
  const std::string wanted =
      fmt::format("one of: {}", fmt::join(accepted, " "));
  const auto accepts = [accepted = std::move(accepted)](const auto& text) {
    return std::find(accepted.begin(), accepted.end(), text) != accepted.end();
  };
  CLI::Option* option = app->add_option(name, *value, description)
                            ->check(Accepting(wanted, accepts))
                            ->type_name(choices);
  if (!value->empty()) option->capture_default_str();
}

void AddText(CLI::App* app, const std::string& name, std::string* value,
             const std::string& wanted, const std::string& description) {
  // CLI11 takes the next flag for the value of one that lacks its own.
  const auto accepts = [](const std::string& text) {
    return !text.empty() && !text.starts_with("--");
  };
  app->add_option(name, *value, description)
      ->check(Accepting(wanted, accepts))
      ->type_name("TEXT");
}

void AddEngineFlags(CLI::App* app, EngineFlags* flags) {
  AddText(app, "--db", &flags->db_dir, "a directory", "where the data lies");
  AddText(app, "--wal-dir", &flags->wal_dir, "an existing writable directory",
          "where the WAL lies [beside the data]");
  AddChoice(app, "--durability", &flags->durability, {"sync", "flush", "off"},
            "when a commit is acknowledged");
  AddText(app, "--options-file", &flags->options_file, "a RocksDB OPTIONS file",
          "RocksDB options; flags override them");
  app->add_flag("--print-options", flags->print_options,
                "print the OPTIONS file that RocksDB makes of all this")
      ->disable_flag_override();
  AddNumber(app, "--sync-every-ms", &flags->sync_every_ms, 0, 60'000,
            "a thread writes and syncs the WAL so often; 0: none");
  AddNumber(app, "--block-cache-mb", &flags->block_cache_mb, 0, kMaxMegabytes,
            "block cache of all column families");
  AddChoice(app, "--stats-level", &flags->stats_level,
            {"disabled", "except-timers"}, "RocksDB Statistics");
  AddChoice(app, "--store", &flags->store,
            {"rocksdb", "myrocks", "innodb", "redis", "null"},
            "what stands behind the workload");
}

void AddRunFlags(CLI::App* app, RunFlags* flags) {
  AddNumber(app, "--threads", &flags->threads, 1, kMaxThreads,
            "worker threads");
  AddNumber(app, "--seed", &flags->seed, 0, std::numeric_limits<int64_t>::max(),
            "seed of all draws");
  AddNumber(app, "--rate", &flags->rate, 0, 1e9,
            "requests per second over all threads; 0 is a closed loop");
  AddChoice(app, "--arrivals", &flags->arrivals, {"poisson", "fixed"},
            "of --rate: by chance, or at even distances");
}

std::optional<int> ParseOrExplain(CLI::App& app, int argc,
                                  const char* const* argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const std::string message = ExplainParseError(error, app);
    return Explain(app.get_name().c_str(), Status::Usage(message));
  } catch (const std::exception& error) {  // a value that CLI11 did not foresee
    return Explain(
        app.get_name().c_str(),
        Status::Usage(fmt::format("command line: {}", error.what())));
  }
}

int Explain(const char* program, const Status& status) {
  if (!status.ok()) {
    fmt::print(stderr, "{}: {}\n", program, OneLine(status.message()));
  }
  return status.exit_code();
}

}  // namespace waltax
