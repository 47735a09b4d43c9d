// What the threads of a check find, put together.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "driver/status.h"
#include "driver/workload.h"

namespace waltax::linkbench {

// Thread-safe.
class Findings {
 public:
  // Listed, or only counted when there are many already.
  void Violation(std::string sentence) {
    const std::lock_guard lock(mutex_);
    ++violations_;
    if (listed_.size() < kListedViolations) {
      listed_.push_back(std::move(sentence));
    }
  }
  void Count(uint64_t links, uint64_t index, uint64_t counts) {
    const std::lock_guard lock(mutex_);
    links_ += links;
    index_ += index;
    counts_ += counts;
  }
  void Fail(const Status& status) {
    const std::lock_guard lock(mutex_);
    if (status_.ok()) status_ = status;
  }
  [[nodiscard]] bool failed() const {
    const std::lock_guard lock(mutex_);
    return !status_.ok();
  }
  // To be called once, when all threads have ended.
  Status Take(CheckResult* result) {
    if (violations_ > listed_.size()) {
      listed_.push_back(fmt::format("{} violations in all", violations_));
    }
    result->violations = std::move(listed_);
    result->counted = {
        {"links", links_}, {"index", index_}, {"counts", counts_}};
    return status_;
  }

 private:
  static constexpr size_t kListedViolations = 20;

  mutable std::mutex mutex_;
  std::vector<std::string> listed_;
  uint64_t violations_ = 0;
  uint64_t links_ = 0;
  uint64_t index_ = 0;
  uint64_t counts_ = 0;
  Status status_;
};

}  // namespace waltax::linkbench
