#include "driver/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "driver/clock.h"
#include "driver/protocol.h"
#include "driver/recorder.h"
#include "driver/report.h"
#include "driver/slice_loop.h"
#include "driver/slice_runner.h"

namespace waltax {
namespace {

using nlohmann::json;

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
  FailureLimit no_failures(-1);
  const int64_t start_ns = clock.NowNs();
  recorder.SetWindow({start_ns, std::numeric_limits<int64_t>::max()});
  const int64_t cpu_before_ns = ThreadCpuNs();
  RunLoop(clock, {start_ns + kMeasureNs, 0}, worker, nullptr, no_failures,
          recorder);
  const auto cpu_ns = static_cast<double>(ThreadCpuNs() - cpu_before_ns);
  return cpu_ns / 1e3 / static_cast<double>(recorder.Executed());
}

int EmitError(const Status& status) {
  PrintEvent({{"event", "error"}, {"message", status.message()}});
  return status.exit_code();
}

json ReadyEvent(const char* program, Workload& workload, const Engine& engine,
                const RunFlags& flags) {
  std::vector<std::string> warnings = BuildWarnings();
  for (std::string& warning : engine.Warnings()) {
    warnings.push_back(std::move(warning));
  }
  return {
      {"event", "ready"},
      {"program", program},
      {"pid", getpid()},
      {"seed", flags.seed},
      {"threads", flags.threads},
      {"rate", flags.rate},
      {"arrivals", flags.arrivals},
      {"max_failed_requests", flags.max_failed_requests},
      {"engine", engine.Describe()},
      {"workload", workload.Describe()},
      {"throughput_unit", workload.throughput().unit},
      {"data_bytes", engine.DataBytes()},
      {"build_type", WALTAX_BUILD_TYPE},
      {"compiler", WALTAX_COMPILER},
      {"compiler_flags", WALTAX_COMPILER_FLAGS},
      {"warnings", std::move(warnings)},
      {"generator_cpu_us_per_op", GeneratorCpuUsPerOp(workload, flags.seed)}};
}

Status FailureOf(const SliceResult& result) {
  return Status::Failed(fmt::format(
      "{} of {} requests failed, which is more than --max-failed-requests "
      "allows or fatal; first: {}",
      result.errors, result.executed,
      result.error_samples.empty() ? "unknown" : result.error_samples.front()));
}

Status RunSlice(SliceRunner& runner, const SliceRequest& request,
                Workload& workload) {
  const SliceResult result = runner.Run(
      request, [](double elapsed_s, uint64_t requests, uint64_t errors) {
        PrintEvent(ProgressEvent(elapsed_s, requests, errors));
      });
  if (result.failed) return FailureOf(result);
  json event = SliceEvent(result, workload);
  workload.AddToSlice(&event);
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
Status CheckWritten() {
  if (std::cout.good()) return Status::Ok();
  return Status::Failed("cannot write events to stdout");
}

Status Obey(const Command& command, SliceRunner& runner, Workload& workload) {
  Status done = command.kind == Command::Kind::kRun
                    ? RunSlice(runner, command.slice, workload)
                    : RunCheck(workload);
  return done.ok() ? CheckWritten() : done;
}

}  // namespace

int Serve(const char* program, Workload& workload, Engine& engine,
          const RunFlags& flags) {
  SliceRunner runner(workload, engine, flags);
  PrintEvent(ReadyEvent(program, workload, engine, flags));
  std::string line;
  while (std::getline(std::cin, line)) {
    Command command;
    Status status = ParseCommand(line, &command);
    if (status.ok() && command.kind == Command::Kind::kQuit) break;
    if (status.ok()) status = Obey(command, runner, workload);
    if (!status.ok()) return EmitError(status);
  }
  PrintEvent({{"event", "bye"}});
  return 0;
}

}  // namespace waltax
