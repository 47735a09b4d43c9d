#include "driver/recorder.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace waltax {
namespace {

constexpr size_t kErrorSamples = 3;

}  // namespace

void OperationStats::Merge(const OperationStats& other) {
  latency_ns.Merge(other.latency_ns);
  rows += other.rows;
  errors += other.errors;
  retries += other.retries;
}

void OperationStats::Clear() {
  latency_ns.Clear();
  rows = errors = retries = 0;
}

nlohmann::json OperationStats::ToJson() const {
  static constexpr std::pair<const char*, double> kPercentiles[] = {
      {"p50_us", 50}, {"p95_us", 95}, {"p99_us", 99}, {"p999_us", 99.9}};
  constexpr double kNsPerUs = 1e3;
  nlohmann::json object = {
      {"count", latency_ns.Count()},
      {"rows", rows},
      {"errors", errors},
      {"retries", retries},
      {"mean_us", latency_ns.Mean() / kNsPerUs},
      {"min_us", static_cast<double>(latency_ns.Min()) / kNsPerUs},
      {"max_us", static_cast<double>(latency_ns.Max()) / kNsPerUs},
      {"counts_ns", latency_ns.Counts()}};
  for (const auto& [name, percentile] : kPercentiles) {
    object[name] =
        static_cast<double>(latency_ns.Percentile(percentile)) / kNsPerUs;
  }
  return object;
}

void Recorder::SetWindow(const Window& window) {
  window_ = window;
  first_begin_ns_ = last_end_ns_ = window.start_ns;
}

void Recorder::Clear() {
  for (auto& operation : operations_) operation.Clear();
  executed_ = attempts_ = retries_ = commits_ = requests_ = errors_ = 0;
  paced_ = false;
  error_samples_.clear();
}

void Recorder::AddFailure(const Outcome& outcome) {
  ++errors_;
  if (error_samples_.size() < kErrorSamples) {
    error_samples_.push_back(*outcome.error);
  }
}

void Recorder::Merge(const Recorder& other) {
  executed_ += other.executed_;
  attempts_ += other.attempts_;
  retries_ += other.retries_;
  commits_ += other.commits_;
  requests_ += other.requests_;
  errors_ += other.errors_;
  for (size_t i = 0; i < operations_.size(); ++i) {
    operations_[i].Merge(other.operations_[i]);
  }
  for (const std::string& sample : other.error_samples_) {
    if (error_samples_.size() < kErrorSamples) error_samples_.push_back(sample);
  }
}

}  // namespace waltax
