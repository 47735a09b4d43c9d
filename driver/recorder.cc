#include "driver/recorder.h"

namespace waltax {
namespace {

constexpr size_t kErrorSamples = 3;

}  // namespace

void Recorder::SetWindow(const Window& window) {
  window_ = window;
  first_begin_ns_ = last_end_ns_ = window.start_ns;
}

void Recorder::Clear() {
  for (auto& operation : operations_) operation.Clear();
  executed_ = attempts_ = retries_ = commits_ = 0;
  requests_ = 0;
  errors_ = 0;
  paced_ = false;
  error_samples_.clear();
}

void Recorder::AddFailure(const Outcome& outcome) {
  errors_.fetch_add(1, std::memory_order_relaxed);
  if (error_samples_.size() < kErrorSamples) {
    error_samples_.push_back(*outcome.error);
  }
}

}  // namespace waltax
