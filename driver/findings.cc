#include "driver/findings.h"

#include <fmt/format.h>

#include <utility>

namespace waltax {
namespace {

constexpr size_t kListedViolations = 20;

}  // namespace

void Findings::Violation(std::string sentence) {
  const std::scoped_lock lock(mutex_);
  ++violations_;
  if (listed_.size() < kListedViolations) {
    listed_.push_back(std::move(sentence));
  }
}

void Findings::Count(const std::string& name, uint64_t rows) {
  const std::scoped_lock lock(mutex_);
  counted_[name] += rows;
}

void Findings::Fail(const Status& status) {
  const std::scoped_lock lock(mutex_);
  if (status_.ok()) status_ = status;
}

bool Findings::failed() const {
  const std::scoped_lock lock(mutex_);
  return !status_.ok();
}

Status Findings::Take(CheckResult* result) {
  if (violations_ > listed_.size()) {
    listed_.push_back(fmt::format("{} violations in all", violations_));
  }
  result->violations = std::move(listed_);
  result->counted.assign(counted_.begin(), counted_.end());
  return status_;
}

}  // namespace waltax
