#include "driver/slice_runner.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "driver/reactor.h"

namespace waltax {
namespace {

using nlohmann::json;

// Keeps the open loop's schedule apart from the worker's own draws, which use
// the thread's number as their stream.
constexpr uint64_t kArrivalStreams = uint64_t{1} << 32;
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

std::vector<Counters> Snapshots(const Engines& engines) {
  std::vector<Counters> counters;
  for (const Engine* node : engines) counters.push_back(node->Snapshot());
  return counters;
}

// What the engines counted since `before`, and what their data takes: in all,
// and of several, by node.
void AddEngines(std::vector<Counters> before, const Engines& engines,
                json* event) {
  Counters counted;
  uint64_t data_bytes = 0;
  json nodes = json::array();
  for (const Engine* node : engines) {
    Counters counters = node->Snapshot();
    for (auto& [name, value] : counters) {
      value -= before[nodes.size()][name];
      counted[name] += value;
    }
    const uint64_t bytes = node->DataBytes();
    data_bytes += bytes;
    nodes.push_back({{"counters", json(counters)}, {"data_bytes", bytes}});
  }
  (*event)["counters"] = counted;
  (*event)["data_bytes"] = data_bytes;
  if (engines.size() > 1) (*event)["node_engines"] = std::move(nodes);
}

// Of the process, over the whole slice.
void AddUsage(const rusage& before, const rusage& after, json* event) {
  (*event)["cpu_user_s"] = Seconds(after.ru_utime) - Seconds(before.ru_utime);
  (*event)["cpu_system_s"] = Seconds(after.ru_stime) - Seconds(before.ru_stime);
  (*event)["context_switches_voluntary"] = after.ru_nvcsw - before.ru_nvcsw;
  (*event)["context_switches_involuntary"] = after.ru_nivcsw - before.ru_nivcsw;
}

rusage ProcessUsage() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

// How many threads carry so many requesters. One that waits for anything but a
// socket would stop those it shares its thread with.
size_t CarriersOf(const Engines& engines, const RunFlags& flags) {
  const auto all = static_cast<size_t>(flags.threads);
  if (!engines.front()->WaitsForSockets()) return all;
  if (flags.carriers > 0) {
    return std::min(all, static_cast<size_t>(flags.carriers));
  }
  // A request is more work for the server than for its client: half of the CPUs
  // are more than enough, and fewer threads find more answers at a time.
  const size_t half = std::max(1U, std::thread::hardware_concurrency() / 2);
  return std::min(all, half);
}

}  // namespace

SliceRunner::SliceRunner(Workload& workload, Engines engines,
                         const RunFlags& flags)
    : workload_(workload),
      engines_(std::move(engines)),
      flags_(flags),
      carriers_(CarriersOf(engines_, flags)),
      begin_(static_cast<std::ptrdiff_t>(carriers_.size()), Begin{this}) {
  AddSeats();
  for (Carrier& carrier : carriers_) {
    carrier.thread = std::thread([this, &carrier] { ThreadMain(&carrier); });
  }
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
  engines_.front()->OnThreadStart();
  for (const int i : carrier->seats) {
    seats_[i]->worker = workload_.NewWorker(i, flags_.seed);
  }
  uint64_t slice = 0;
  Park();
  while (AwaitSlice(&slice)) {
    RunSeats(carrier);
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

void SliceRunner::RunSeats(Carrier* carrier) {
  begin_.arrive_and_wait();
  if (carrier->seats.size() == 1) {
    RunSeat(seats_[carrier->seats.front()].get());
  } else {
    std::vector<std::function<void()>> requesters;
    for (const int i : carrier->seats) {
      requesters.emplace_back(
          [this, seat = seats_[i].get()] { RunSeat(seat); });
    }
    Reactor().Run(requesters);
  }
}

void SliceRunner::RunSeat(Seat* seat) {
  seat->recorder.SetWindow(window_);
  if (seat->arrivals) seat->arrivals->Restart(clock_.NowNs());
  RunLoop(clock_, {window_.end_ns, request_.requests}, *seat->worker,
          seat->arrivals ? &*seat->arrivals : nullptr, failure_,
          seat->recorder);
  seat->end_ns = clock_.NowNs();
}

json SliceRunner::Run(const SliceRequest& request) {
  request_ = request;
  for (const auto& seat : seats_) seat->recorder.Clear();
  std::vector<Counters> counters_before = Snapshots(engines_);
  const rusage usage_before = ProcessUsage();
  json event = {{"event", "slice"}, {"start_unix_s", UnixSeconds()}};
  RunThreads();
  AddUsage(usage_before, ProcessUsage(), &event);
  AddEngines(std::move(counters_before), engines_, &event);
  AddTimes(&event);
  AddWork(&event);
  if (flags_.rate > 0) AddUnserved(&event);
  workload_.AddToSlice(&event);
  return event;
}

void SliceRunner::RunThreads() {
  std::unique_lock lock(mutex_);
  parked_ = 0;
  ++slice_;
  wake_.notify_all();
  parked_changed_.wait(lock, [this] { return parked_ == carriers_.size(); });
}

int64_t SliceRunner::MeasuredNs(const Seat& seat) const {
  const Recorder& recorder = seat.recorder;
  const bool did_all =
      request_.requests != 0 && recorder.Attempts() >= request_.requests;
  if (did_all || failure_.Happened()) {
    return recorder.LastEndNs() - window_.start_ns;
  }
  if (seat.arrivals || recorder.Paced()) {
    return window_.end_ns - window_.start_ns;
  }
  return recorder.LastEndNs() - recorder.FirstBeginNs();
}

// The measured interval is that of all threads in the mean.
void SliceRunner::AddTimes(json* event) const {
  double mean_s = 0;
  int64_t end_ns = window_.start_ns;
  for (const auto& seat : seats_) {
    mean_s += SecondsOf(MeasuredNs(*seat)) / static_cast<double>(seats_.size());
    end_ns = std::max(end_ns, seat->end_ns);
  }
  (*event)["warmup_s"] = request_.warmup_s;
  (*event)["measure_s"] = mean_s;
  // Until the last thread ended.
  (*event)["driven_s"] =
      request_.warmup_s + SecondsOf(end_ns - window_.start_ns);
  (*event)["overtime_s"] =
      SecondsOf(std::max<int64_t>(0, end_ns - window_.end_ns));
}

void SliceRunner::AddWork(json* event) const {
  const std::vector<std::string_view>& names = workload_.OperationNames();
  json columns = json::object();
  Recorder all(names.size());
  for (const auto& seat : seats_) {
    all.Merge(seat->recorder);
    seat->worker->AddColumns(&columns);
  }
  OperationStats every;
  json operations = json::object();
  for (size_t i = 0; i < names.size(); ++i) {
    const OperationStats& operation = all.Operations()[i];
    if (operation.latency_ns.Count() + operation.errors == 0) continue;
    every.Merge(operation);
    operations[std::string(names[i])] = operation.ToJson();
  }
  const Throughput throughput = workload_.throughput();
  const uint64_t counted =
      throughput.operation
          ? all.Operations()[*throughput.operation].latency_ns.Count()
          : all.Requests();
  const double measure_s = (*event)["measure_s"];
  event->update(
      {{"requests", all.Requests()},
       {"slice_requests", all.Executed()},
       {"commits", all.Commits()},
       {"throughput", measure_s <= 0 ? 0.0
                                     : static_cast<double>(counted) *
                                           throughput.interval_s / measure_s},
       {"throughput_unit", throughput.unit},
       {"errors", all.Errors()},
       {"retries", all.Retries()},
       {"error_samples", all.ErrorSamples()},
       {"operations", std::move(operations)},
       {"all_operations", every.ToJson()},
       {"columns", std::move(columns)}});
}

void SliceRunner::AddUnserved(json* event) const {
  Unserved all;
  for (const auto& seat : seats_) {
    if (!seat->arrivals) continue;
    const Unserved& unserved = seat->arrivals->unserved();
    all.requests += unserved.requests;
    all.oldest_s = std::max(all.oldest_s, unserved.oldest_s);
  }
  (*event)["rate"] = flags_.rate;
  (*event)["unserved"] = all.requests;
  (*event)["unserved_oldest_s"] = all.oldest_s;
}

}  // namespace waltax
