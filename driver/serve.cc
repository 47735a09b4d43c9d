#include "driver/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "driver/build_info.h"
#include "driver/clock.h"
#include "driver/generator_cost.h"
#include "driver/program.h"
#include "driver/protocol.h"
#include "driver/report.h"
#include "driver/slice_runner.h"

namespace waltax {
namespace {

using nlohmann::json;

int EmitError(const Status& status) {
  PrintEvent({{"event", "error"}, {"message", status.message()}});
  return status.exit_code();
}

// Forwards what happens during a slice as events.
class EventObserver : public SliceObserver {
 public:
  explicit EventObserver(const Workload& workload) : workload_(workload) {}
  void Progress(double elapsed_s, uint64_t requests, uint64_t errors) override {
    PrintEvent(ProgressEvent(elapsed_s, requests, errors));
  }
  void ThreadStats(const ThreadInterval& interval) override {
    PrintEvent(ThreadStatsEvent(interval, workload_.OperationNames()));
  }
  void Interval(const SliceInterval& interval) override {
    PrintEvent(IntervalEvent(interval, workload_.OperationNames()));
  }

 private:
  const Workload& workload_;
};

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
      {"max_failed_requests", flags.max_failed_requests},
      {"engine", engine.Describe()},
      {"workload", workload.Describe()},
      {"throughput_unit", workload.throughput().unit},
      {"data_bytes", engine.DataBytes()},
      {"build_type", BuildType()},
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
  EventObserver observer(workload);
  const SliceResult result = runner.Run(request, &observer);
  if (result.failed) return FailureOf(result);
  PrintEvent(SliceEvent(result, workload));
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
