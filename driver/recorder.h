// What one thread measures in one slice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "driver/latency.h"
#include "driver/workload.h"

namespace waltax {

// A request is measured when it begins in [start_ns, end_ns), and counts in
// full whenever it ends.
struct Window {
  int64_t start_ns = 0;
  int64_t end_ns = 0;
};

// Successful requests of one operation that began in the measured interval,
// beside `errors`, the failed ones. Latencies in nanoseconds.
struct OperationStats {
  Histogram latency_ns;
  uint64_t rows = 0;
  uint64_t errors = 0;
  uint64_t retries = 0;

  void Merge(const OperationStats& other);
  void Clear();
  // As a `slice` event has it.
  [[nodiscard]] nlohmann::json ToJson() const;
};

// Add() is for one worker thread; others may ask while it is parked.
class alignas(64) Recorder {
 public:
  explicit Recorder(size_t operations) : operations_(operations) {}

  // Forgets the last slice.
  void Clear();
  void SetWindow(const Window& window);

  // `due_ns` is what latency counts from: in a closed loop, the beginning.
  void Add(const Outcome& outcome, int64_t due_ns, int64_t begin_ns,
           int64_t end_ns) {
    ++executed_;
    retries_ += outcome.retries;
    if (outcome.error != nullptr) [[unlikely]] {
      AddFailure(outcome);
    } else {
      commits_ += outcome.committed ? 1 : 0;
    }
    if (begin_ns < window_.start_ns || begin_ns >= window_.end_ns) return;
    if (attempts_++ == 0) first_begin_ns_ = begin_ns;
    last_end_ns_ = end_ns;
    OperationStats& operation = operations_[outcome.operation];
    operation.retries += outcome.retries;
    if (outcome.error != nullptr) [[unlikely]] {
      ++operation.errors;
      return;
    }
    const auto latency_ns =
        static_cast<uint64_t>(std::max<int64_t>(0, end_ns - due_ns));
    operation.latency_ns.Record(latency_ns);
    operation.rows += outcome.rows;
    ++requests_;
  }
  // Adds what another one counted, but no times.
  void Merge(const Recorder& other);

  // Requests begin when a pause is over.
  void SetPaced() { paced_ = true; }

  // Measured requests: successful ones, and with failed ones.
  [[nodiscard]] uint64_t Requests() const { return requests_; }
  [[nodiscard]] uint64_t Attempts() const { return attempts_; }
  // Over the whole slice.
  [[nodiscard]] uint64_t Errors() const { return errors_; }
  [[nodiscard]] uint64_t Executed() const { return executed_; }
  [[nodiscard]] uint64_t Retries() const { return retries_; }
  [[nodiscard]] uint64_t Commits() const { return commits_; }
  // The first few.
  [[nodiscard]] const std::vector<std::string>& ErrorSamples() const {
    return error_samples_;
  }
  [[nodiscard]] bool Paced() const { return paced_; }
  // When the first measured request began, and when the last one ended; the
  // window's start before there is one.
  [[nodiscard]] int64_t FirstBeginNs() const { return first_begin_ns_; }
  [[nodiscard]] int64_t LastEndNs() const { return last_end_ns_; }
  [[nodiscard]] const std::vector<OperationStats>& Operations() const {
    return operations_;
  }

 private:
  void AddFailure(const Outcome& outcome);

  Window window_;
  std::vector<OperationStats> operations_;
  uint64_t executed_ = 0;
  uint64_t attempts_ = 0;
  uint64_t retries_ = 0;
  uint64_t commits_ = 0;
  bool paced_ = false;
  int64_t first_begin_ns_ = 0;
  int64_t last_end_ns_ = 0;
  uint64_t requests_ = 0;
  uint64_t errors_ = 0;
  std::vector<std::string> error_samples_;
};

}  // namespace waltax
