#include "driver/slice_runner.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>

#include "driver/reactor.h"

namespace waltax {
namespace {

// Keeps the open loop's schedule apart from the worker's own draws, which use
// the thread's number as their stream.
constexpr uint64_t kArrivalStreams = uint64_t{1} << 32;
constexpr size_t kErrorSamples = 5;
// Far beyond any slice, and still far from the end of int64_t.
constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 2;

int64_t Nanoseconds(double seconds) {
  return static_cast<int64_t>(seconds * 1e9);
}

double SecondsOf(int64_t ns) { return static_cast<double>(ns) * 1e-9; }

double Seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_usec) * 1e-6;
}

Counters Difference(const Counters& before, const Counters& after) {
  Counters difference;
  for (const auto& [name, value] : after) {
    const auto old = before.find(name);
    difference[name] = value - (old == before.end() ? 0 : old->second);
  }
  return difference;
}

std::vector<const Engine*> Observed(const Engine& engine) {
  std::vector<const Engine*> nodes = engine.Nodes();
  if (nodes.empty()) nodes.push_back(&engine);
  return nodes;
}

std::vector<Counters> Snapshots(const Engine& engine) {
  std::vector<Counters> counters;
  for (const Engine* node : Observed(engine)) {
    counters.push_back(node->Snapshot());
  }
  return counters;
}

// What the engine counted since `before`, and what its data takes: by node, and
// in all.
void AddNodes(const std::vector<Counters>& before, const Engine& engine,
              SliceResult* result) {
  const std::vector<const Engine*> nodes = Observed(engine);
  for (size_t i = 0; i < nodes.size(); ++i) {
    NodeResult node = {Difference(before[i], nodes[i]->Snapshot()),
                       nodes[i]->DataBytes()};
    for (const auto& [name, value] : node.counters) {
      result->counters[name] += value;
    }
    result->data_bytes += node.data_bytes;
    result->nodes.push_back(std::move(node));
  }
  if (engine.Nodes().empty()) result->nodes.clear();
}

Usage UsageBetween(const rusage& before, const rusage& after) {
  Usage usage;
  usage.user_s = Seconds(after.ru_utime) - Seconds(before.ru_utime);
  usage.system_s = Seconds(after.ru_stime) - Seconds(before.ru_stime);
  usage.voluntary_switches = after.ru_nvcsw - before.ru_nvcsw;
  usage.involuntary_switches = after.ru_nivcsw - before.ru_nivcsw;
  return usage;
}

rusage ProcessUsage() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

// How many threads carry so many requesters. One that waits for anything but a
// socket would stop those it shares its thread with.
size_t CarriersOf(const Engine& engine, const RunFlags& flags) {
  const auto all = static_cast<size_t>(flags.threads);
  if (!engine.WaitsForSockets()) return all;
  if (flags.carriers > 0) {
    return std::min(all, static_cast<size_t>(flags.carriers));
  }
  // A request is more work for the server than for its client: half of the CPUs
  // are more than enough, and fewer threads find more answers at a time.
  const size_t half = std::max(1U, std::thread::hardware_concurrency() / 2);
  return std::min(all, half);
}

}  // namespace

SliceRunner::SliceRunner(Workload& workload, Engine& engine,
                         const RunFlags& flags)
    : workload_(workload),
      engine_(engine),
      flags_(flags),
      failures_(flags.max_failed_requests),
      carriers_(CarriersOf(engine, flags)),
      begin_(static_cast<std::ptrdiff_t>(carriers_.size()), Begin{this}) {
  AddSeats();
  StartCarriers();
  std::unique_lock lock(mutex_);
  parked_changed_.wait(lock, [this] { return parked_ == carriers_.size(); });
}

void SliceRunner::AddSeats() {
  for (int i = 0; i < flags_.threads; ++i) {
    seats_.push_back(std::make_unique<Seat>(workload_.OperationNames().size()));
    carriers_[static_cast<size_t>(i) % carriers_.size()].seats.push_back(i);
    if (flags_.rate <= 0) continue;
    std::optional<double> phase;
    if (flags_.arrivals == "fixed") phase = (i + 1.0) / flags_.threads;
    seats_.back()->arrivals.emplace(flags_.rate / flags_.threads,
                                    Random(flags_.seed, kArrivalStreams + i),
                                    phase);
  }
}

void SliceRunner::StartCarriers() {
  for (Carrier& carrier : carriers_) {
    carrier.thread = std::thread([this, &carrier] { ThreadMain(&carrier); });
  }
}

SliceRunner::~SliceRunner() {
  {
    const std::scoped_lock lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  for (Carrier& carrier : carriers_) carrier.thread.join();
}

void SliceRunner::ThreadMain(Carrier* carrier) {
  // The default slack of 50 us would be billed to every open-loop request.
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  engine_.OnThreadStart();
  for (const int i : carrier->seats) {
    seats_[i]->worker = workload_.NewWorker(i, flags_.seed);
  }
  uint64_t slice = 0;
  Park();
  while (AwaitSlice(&slice)) {
    RunSlice(carrier);
    Park();
  }
  for (const int i : carrier->seats) seats_[i]->worker.reset();
}

void SliceRunner::Park() {
  const std::scoped_lock lock(mutex_);
  ++parked_;
  if (parked_ == carriers_.size()) parked_changed_.notify_one();
}

bool SliceRunner::AwaitSlice(uint64_t* slice) {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [&] { return quit_ || slice_ != *slice; });
  *slice = slice_;
  return !quit_;
}

void SliceRunner::Begin::operator()() noexcept {
  const SliceRequest& request = runner->request_;
  Window& window = runner->window_;
  window.start_ns = runner->clock_.NowNs() + Nanoseconds(request.warmup_s);
  window.end_ns = request.measure_s > 0
                      ? window.start_ns + Nanoseconds(request.measure_s)
                      : kNever;
}

void SliceRunner::RunSlice(Carrier* carrier) {
  const int64_t cpu_before_ns = ThreadCpuNs();
  begin_.arrive_and_wait();
  RunSeats(*carrier);
  carrier->cpu_ns = ThreadCpuNs() - cpu_before_ns;
}

void SliceRunner::RunSeats(const Carrier& carrier) {
  if (carrier.seats.size() == 1) {
    return RunSeat(seats_[carrier.seats.front()].get());
  }
  std::vector<std::function<void()>> requesters;
  for (const int i : carrier.seats) {
    requesters.emplace_back([this, seat = seats_[i].get()] { RunSeat(seat); });
  }
  Reactor().Run(requesters);
}

void SliceRunner::RunSeat(Seat* seat) {
  seat->recorder.SetWindow(window_);
  if (seat->arrivals) seat->arrivals->Restart(clock_.NowNs());
  RunLoop(clock_, {window_.end_ns, seat->requests}, *seat->worker,
          seat->arrivals ? &*seat->arrivals : nullptr, failures_,
          seat->recorder);
  seat->end_ns = clock_.NowNs();
}

SliceResult SliceRunner::Run(const SliceRequest& request,
                             const ReportProgress& report) {
  SliceResult result;
  request_ = request;
  for (size_t i = 0; i < seats_.size(); ++i) {
    seats_[i]->requests = request.requests + (i < request.one_more ? 1 : 0);
  }
  for (const auto& seat : seats_) seat->recorder.Clear();
  const std::vector<Counters> counters_before = Snapshots(engine_);
  const rusage usage_before = ProcessUsage();
  result.start_unix_s = UnixSeconds();
  StartSlice();
  AwaitParked(request, report);
  result.usage = UsageBetween(usage_before, ProcessUsage());
  AddNodes(counters_before, engine_, &result);
  Collect(request, &result);
  return result;
}

void SliceRunner::StartSlice() {
  {
    const std::scoped_lock lock(mutex_);
    parked_ = 0;
    ++slice_;
  }
  wake_.notify_all();
}

void SliceRunner::AwaitParked(const SliceRequest& request,
                              const ReportProgress& report) {
  const int64_t start_ns = MonotonicNs() + Nanoseconds(request.warmup_s);
  const int64_t period_ns =
      request.progress_s > 0 ? Nanoseconds(request.progress_s) : kNever;
  int64_t due_ns = start_ns + std::min(period_ns, kNever - start_ns);
  const auto parked = [this] { return parked_ == carriers_.size(); };
  std::unique_lock lock(mutex_);
  while (!parked_changed_.wait_until(
      lock,
      std::chrono::steady_clock::time_point(std::chrono::nanoseconds(due_ns)),
      parked)) {
    uint64_t requests = 0;
    uint64_t errors = 0;
    for (const auto& seat : seats_) {
      requests += seat->recorder.Requests();
      errors += seat->recorder.Errors();
    }
    // Reporting writes to a pipe, which nobody may hurry to read.
    lock.unlock();
    report(SecondsOf(MonotonicNs() - start_ns), requests, errors);
    lock.lock();
    due_ns = std::max(due_ns + period_ns, MonotonicNs());
  }
}

int64_t SliceRunner::MeasuredNs(const Seat& seat) const {
  const Recorder& recorder = seat.recorder;
  const bool did_all =
      seat.requests != 0 && recorder.Attempts() >= seat.requests;
  if (did_all || failures_.Exceeded()) {
    return recorder.LastEndNs() - window_.start_ns;
  }
  if (seat.arrivals || recorder.Paced()) {
    return window_.end_ns - window_.start_ns;
  }
  return recorder.LastEndNs() - recorder.FirstBeginNs();
}

ThreadResult SliceRunner::CollectThread(const Seat& seat) const {
  ThreadResult thread;
  thread.requests = seat.recorder.Requests();
  thread.seconds = SecondsOf(MeasuredNs(seat));
  uint64_t tally = 0;
  for (const OperationStats& operation : seat.recorder.Operations()) {
    tally += operation.tally;
  }
  thread.counters = nlohmann::json::object();
  seat.worker->AddCounters(tally, &thread.counters);
  return thread;
}

void SliceRunner::Collect(const SliceRequest& request,
                          SliceResult* result) const {
  result->warmup_s = request.warmup_s;
  result->rate = flags_.rate;
  double longest_s = 0;
  int64_t end_ns = window_.start_ns;
  result->failed = failures_.Exceeded();
  result->operations.resize(workload_.OperationNames().size());
  result->inputs.resize(workload_.InputRules().size());
  for (const auto& seat : seats_) {
    const Recorder& recorder = seat->recorder;
    result->executed += recorder.Executed();
    result->commits += recorder.Commits();
    result->errors += recorder.Errors();
    result->retries += recorder.Retries();
    for (const std::string& sample : recorder.ErrorSamples()) {
      if (result->error_samples.size() == kErrorSamples) break;
      result->error_samples.push_back(sample);
    }
    for (size_t i = 0; i < result->operations.size(); ++i) {
      result->operations[i].Merge(recorder.Operations()[i]);
    }
    seat->worker->TakeInputs(&result->inputs);
    result->threads.push_back(CollectThread(*seat));
    const double seconds = result->threads.back().seconds;
    result->measure_s += seconds / static_cast<double>(seats_.size());
    longest_s = std::max(longest_s, seconds);
    end_ns = std::max(end_ns, seat->end_ns);
    const std::optional<Arrivals>& arrivals = seat->arrivals;
    if (!arrivals) continue;
    const Unserved& unserved = arrivals->unserved();
    result->unserved.requests += unserved.requests;
    result->unserved.oldest_s =
        std::max(result->unserved.oldest_s, unserved.oldest_s);
  }
  if (request.requests != 0) result->measure_s = longest_s;
  result->driven_s = request.warmup_s + SecondsOf(end_ns - window_.start_ns);
  result->overtime_s = SecondsOf(std::max<int64_t>(0, end_ns - window_.end_ns));
  for (const Carrier& carrier : carriers_) {
    result->usage.workers_s += SecondsOf(carrier.cpu_ns);
  }
}

}  // namespace waltax
