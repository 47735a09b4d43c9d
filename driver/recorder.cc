#include "driver/recorder.h"

namespace waltax {
namespace {

constexpr size_t kErrorSamples = 3;

void TakeOperation(Histogram* live, ThreadInterval::Operation* taken) {
  taken->values.Clear();
  std::swap(*live, taken->values);
  taken->total += taken->values.Count();
}

}  // namespace

Recorder::Recorder(size_t operations, std::optional<uint32_t> range_operation)
    : range_operation_(range_operation), operations_(operations) {}

void Recorder::SetWindow(const Window& window) {
  window_ = window;
  first_begin_ns_ = last_end_ns_ = window.start_ns;
}

void Recorder::Clear(bool with_intervals) {
  for (auto& operation : operations_) operation.Clear();
  executed_ = attempts_ = retries_ = commits_ = 0;
  requests_ = 0;
  errors_ = 0;
  paced_ = false;
  error_samples_.clear();
  intervals_.reset();
  if (!with_intervals) return;
  intervals_ = std::make_unique<Intervals>();
  intervals_->latency_ns.resize(operations_.size());
}

void Recorder::AddFailure(const Outcome& outcome) {
  errors_.fetch_add(1, std::memory_order_relaxed);
  if (error_samples_.size() < kErrorSamples) {
    error_samples_.push_back(*outcome.error);
  }
}

void Recorder::AddToInterval(const Outcome& outcome, uint64_t latency_ns) {
  const std::scoped_lock lock(intervals_->mutex);
  intervals_->latency_ns[outcome.operation].Record(latency_ns);
  if (outcome.operation == range_operation_) {
    intervals_->rows.Record(outcome.rows);
  }
}

void Recorder::TakeInterval(ThreadInterval* interval) {
  interval->operations.resize(operations_.size());
  const std::scoped_lock lock(intervals_->mutex);
  for (size_t i = 0; i < operations_.size(); ++i) {
    TakeOperation(&intervals_->latency_ns[i], &interval->operations[i]);
  }
  TakeOperation(&intervals_->rows, &interval->range_size);
}

}  // namespace waltax
