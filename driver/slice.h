// One slice: what is asked of it, and what comes out.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "driver/engine.h"
#include "driver/latency.h"
#include "driver/workload.h"

namespace waltax {

struct SliceRequest {
  double warmup_s = 0;
  // 0 with `requests` > 0: no limit in time.
  double measure_s = 0;
  // Each thread stops after this many measured requests, failed ones included;
  // 0: no limit.
  uint64_t requests = 0;
  // So many of the threads, the first ones, do one more.
  uint64_t one_more = 0;
  double progress_s = 0;  // time between reports; 0: none
};

// Successful requests of one operation that began in the measured interval,
// beside `errors`, the failed ones. Latencies in nanoseconds.
struct OperationStats {
  Histogram latency_ns;
  uint64_t found = 0;
  uint64_t not_found = 0;
  uint64_t rows = 0;
  uint64_t tally = 0;
  uint64_t errors = 0;
  uint64_t retries = 0;

  void Merge(const OperationStats& other);
  void Clear();
};

// The process and its worker threads over the whole slice.
struct Usage {
  double user_s = 0;
  double system_s = 0;
  double workers_s = 0;
  int64_t voluntary_switches = 0;
  int64_t involuntary_switches = 0;
};

// Requests of an open loop that were due and had not begun when the slice
// ended.
struct Unserved {
  uint64_t requests = 0;
  double oldest_s = 0;
};

struct ThreadResult {
  uint64_t requests = 0;
  double seconds = 0;       // that they took; see SliceRunner::MeasuredNs()
  nlohmann::json counters;  // Worker::AddCounters()
};

// One of the engines that a slice's engine stands for, over the whole slice.
struct NodeResult {
  Counters counters;
  uint64_t data_bytes = 0;  // at its end
};

struct SliceResult {
  double start_unix_s = 0;
  double warmup_s = 0;
  // As it was: of all threads the mean, or of a run by a number of requests the
  // longest.
  double measure_s = 0;
  double driven_s = 0;    // until the last thread ended, warm-up included
  double overtime_s = 0;  // of that, beyond the measured interval
  double rate = 0;        // that was asked for, requests/s; 0: a closed loop
  Unserved unserved;
  // Over the whole slice with its warm-up, as are the counters and the usage:
  // workers are parked at both of its ends, so these compare exactly.
  uint64_t executed = 0;
  uint64_t commits = 0;
  uint64_t errors = 0;
  uint64_t retries = 0;
  std::vector<std::string> error_samples;
  bool failed = false;  // stopped by a fatal error or by too many
  std::vector<OperationStats> operations;
  std::vector<ThreadResult> threads;
  Counters counters;               // of all Engine::Nodes() together
  std::vector<NodeResult> nodes;   // of each, where the engine stands for some
  uint64_t data_bytes = 0;         // Engine::DataBytes() at its end
  std::vector<InputCount> inputs;  // one for each of Workload::InputRules()
  Usage usage;

  // Measured requests that succeeded.
  [[nodiscard]] uint64_t Requests() const;
};

// Hears of a slice while it runs, on the thread that called Run(). `elapsed_s`
// counts from the start of the measured interval.
using ReportProgress =
    std::function<void(double elapsed_s, uint64_t requests, uint64_t errors)>;

}  // namespace waltax
