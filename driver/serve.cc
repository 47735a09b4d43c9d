#include "driver/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "driver/clock.h"
#include "driver/recorder.h"
#include "driver/slice_loop.h"

namespace waltax {
namespace {

using nlohmann::json;

// Over a hundred days, whose nanoseconds still fit.
constexpr double kLongestS = 10'000'000;
constexpr double kMostRequests = 1e15;
constexpr size_t kMostShown = 200;  // bytes of what was found

Status Refused(std::string why) {
  if (why.size() > kMostShown) why = why.substr(0, kMostShown) + "...";
  return Status::Usage("command: " + why);
}

// Leaves `number` as it is where the key is left out. Throws json::exception.
template <typename Number>
Status Take(const json& object, const char* key, double most, Number* number) {
  const double given = object.value(key, static_cast<double>(*number));
  if (given >= 0 && given <= most) {
    *number = static_cast<Number>(given);
    if (static_cast<double>(*number) == given) return Status::Ok();
  }
  return Refused(fmt::format(
      "{}: found {}, want a {} from 0 to {}", key, given,
      std::is_integral_v<Number> ? "whole number" : "number", most));
}

Status ParseSlice(const json& object, SliceRequest* slice) {
  *slice = {};
  for (const Status& taken :
       {Take(object, "warmup_s", kLongestS, &slice->warmup_s),
        Take(object, "measure_s", kLongestS, &slice->measure_s),
        Take(object, "requests", kMostRequests, &slice->requests)}) {
    if (!taken.ok()) return taken;
  }
  if (slice->measure_s > 0 || slice->requests > 0) return Status::Ok();
  return Refused("measure_s: found 0, want more than 0 when requests is 0");
}

// What of this build spoils its numbers: whole sentences; none for an optimised
// build without sanitizers.
std::vector<std::string> BuildWarnings() {
  std::vector<std::string> warnings;
#ifndef __OPTIMIZE__
  warnings.emplace_back(
      "the driver was built without optimisation: its own cost is several "
      "times too high, build with CMAKE_BUILD_TYPE=Release");
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  warnings.emplace_back(
      "the driver was built with sanitizers: its numbers mean nothing");
#endif
  return warnings;
}

constexpr int64_t kMeasureNs = 30'000'000;

class DrawOnly : public Worker {
 public:
  explicit DrawOnly(std::unique_ptr<Worker> inner) : inner_(std::move(inner)) {}
  void Draw() override { inner_->Draw(); }
  Outcome Execute() override { return {}; }

 private:
  std::unique_ptr<Worker> inner_;
};

// CPU microseconds per request of drawing its inputs, timing it and recording
// it, measured on the calling thread for some 30 ms with a spare worker whose
// requests are drawn and not executed.
double GeneratorCpuUsPerOp(Workload& workload, uint64_t seed) {
  DrawOnly worker(workload.NewWorker(0, seed));
  const LoopClock clock;
  Recorder recorder(workload.OperationNames().size());
  Failure none;
  const int64_t start_ns = clock.NowNs();
  recorder.SetWindow({start_ns, std::numeric_limits<int64_t>::max()});
  const int64_t cpu_before_ns = ThreadCpuNs();
  RunLoop(clock, {start_ns + kMeasureNs, 0}, worker, nullptr, none, recorder);
  const auto cpu_ns = static_cast<double>(ThreadCpuNs() - cpu_before_ns);
  return cpu_ns / 1e3 / static_cast<double>(recorder.Executed());
}

// What the engine is, of several that of the first, and "node_engines", those
// of all; their warnings, each once, behind those of the build; and their data.
json ReadyEvent(const char* program, Workload& workload, const Engines& engines,
                const RunFlags& flags) {
  std::vector<std::string> warnings = BuildWarnings();
  json nodes = json::array();
  uint64_t data_bytes = 0;
  for (const Engine* node : engines) {
    nodes.push_back(node->Describe());
    data_bytes += node->DataBytes();
    for (std::string& warning : node->Warnings()) {
      if (std::find(warnings.begin(), warnings.end(), warning) ==
          warnings.end()) {
        warnings.push_back(std::move(warning));
      }
    }
  }
  json engine = nodes.front();
  if (engines.size() > 1) engine["node_engines"] = std::move(nodes);
  return {
      {"event", "ready"},
      {"program", program},
      {"pid", getpid()},
      {"seed", flags.seed},
      {"threads", flags.threads},
      {"rate", flags.rate},
      {"arrivals", flags.arrivals},
      {"engine", std::move(engine)},
      {"workload", workload.Describe()},
      {"throughput_unit", workload.throughput().unit},
      {"data_bytes", data_bytes},
      {"build_type", WALTAX_BUILD_TYPE},
      {"compiler", WALTAX_COMPILER},
      {"compiler_flags", WALTAX_COMPILER_FLAGS},
      {"warnings", std::move(warnings)},
      {"generator_cpu_us_per_op", GeneratorCpuUsPerOp(workload, flags.seed)}};
}

Status RunSlice(SliceRunner& runner, const SliceRequest& request) {
  const json event = runner.Run(request);
  if (runner.failed()) {
    const json& samples = event["error_samples"];
    return Status::Failed(fmt::format(
        "{} of {} requests failed; first: {}", event["errors"].get<uint64_t>(),
        event["slice_requests"].get<uint64_t>(),
        samples.empty() ? "unknown" : samples[0].get<std::string>()));
  }
  PrintEvent(event);
  return Status::Ok();
}

// Violations are a result, not a failure: whoever asked decides.
Status RunCheck(Workload& workload) {
  CheckResult result;
  const int64_t start_ns = MonotonicNs();
  Status checked = workload.Check(&result);
  if (!checked.ok()) return checked;
  const auto seconds = static_cast<double>(MonotonicNs() - start_ns) * 1e-9;
  PrintEvent(CheckEvent(result, seconds));
  return Status::Ok();
}

// A result that cannot be written (stdout may be a file on a full device) is
// no result.
Status Obey(const Command& command, SliceRunner& runner, Workload& workload) {
  Status done = command.kind == Command::Kind::kRun
                    ? RunSlice(runner, command.slice)
                    : RunCheck(workload);
  if (!done.ok() || std::cout.good()) return done;
  return Status::Failed("cannot write events to stdout");
}

}  // namespace

Status ParseCommand(const std::string& line, Command* command) {
  try {
    const json object = json::parse(line);
    const auto cmd = object.at("cmd").get<std::string>();
    if (cmd == "run") {
      command->kind = Command::Kind::kRun;
      return ParseSlice(object, &command->slice);
    }
    command->kind =
        cmd == "check" ? Command::Kind::kCheck : Command::Kind::kQuit;
    if (cmd == "check" || cmd == "quit") return Status::Ok();
    return Refused("cmd: want run, check or quit, found " + cmd);
  } catch (const json::exception& error) {
    return Refused(error.what());
  }
}

void PrintEvent(const json& event) {
  // Texts may hold keys that are not UTF-8.
  std::cout << event.dump(-1, ' ', false, json::error_handler_t::replace)
            << std::endl;
}

json CheckEvent(const CheckResult& result, double seconds) {
  json event = {{"event", "check"},
                {"ok", result.violation_count == 0},
                {"seconds", seconds},
                {"counted", json(std::map<std::string, uint64_t>(
                                result.counted.begin(), result.counted.end()))},
                {"violation_count", result.violation_count},
                {"violations", result.violations}};
  if (result.acknowledged) {
    event["acknowledged"] = {{"count", result.acknowledged->count},
                             {"lost", result.acknowledged->lost},
                             {"oldest_lost", result.acknowledged->oldest_lost}};
  }
  return event;
}

int Serve(const char* program, Workload& workload, const Engines& engines,
          const RunFlags& flags) {
  SliceRunner runner(workload, engines, flags);
  PrintEvent(ReadyEvent(program, workload, engines, flags));
  std::string line;
  while (std::getline(std::cin, line)) {
    Command command;
    Status status = ParseCommand(line, &command);
    if (status.ok() && command.kind == Command::Kind::kQuit) break;
    if (status.ok()) status = Obey(command, runner, workload);
    if (status.ok()) continue;
    PrintEvent({{"event", "error"}, {"message", status.message()}});
    return status.exit_code();
  }
  PrintEvent({{"event", "bye"}});
  return 0;
}

}  // namespace waltax
