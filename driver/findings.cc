#include "driver/findings.h"

#include <iterator>
#include <utility>

namespace waltax {
namespace {

constexpr size_t kListedOfEachKind = 5;

}  // namespace

void Findings::Violation(std::string sentence) {
  const std::string kind = sentence.substr(0, sentence.find(':'));
  const std::scoped_lock lock(mutex_);
  ++violations_;
  auto& listed = listed_[kind];
  listed.insert(std::move(sentence));
  if (listed.size() > kListedOfEachKind) listed.erase(std::prev(listed.end()));
}

void Findings::Count(const std::string& name, uint64_t rows) {
  const std::scoped_lock lock(mutex_);
  counted_[name] += rows;
}

void Findings::Acknowledged(uint64_t count) {
  const std::scoped_lock lock(mutex_);
  acknowledged_ = count;
}

void Findings::Lost(uint64_t number, std::string sentence) {
  Violation(std::move(sentence));
  const std::scoped_lock lock(mutex_);
  lost_.insert(number);
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
  result->violation_count = violations_;
  result->violations.clear();
  for (const auto& [kind, sentences] : listed_) {
    result->violations.insert(result->violations.end(), sentences.begin(),
                              sentences.end());
  }
  result->counted.assign(counted_.begin(), counted_.end());
  if (acknowledged_) {
    result->acknowledged = {*acknowledged_, lost_.size(),
                            lost_.empty() ? 0 : *lost_.begin()};
  }
  return status_;
}

}  // namespace waltax
