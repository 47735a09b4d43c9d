// What the threads of a check find, put together.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "driver/status.h"
#include "driver/workload.h"

namespace waltax {

// Thread-safe.
class Findings {
 public:
  // Listed, or only counted when there are many already.
  void Violation(std::string sentence);
  // Adds to the rows that were looked at under this name.
  void Count(const std::string& name, uint64_t rows);
  void Fail(const Status& status);
  [[nodiscard]] bool failed() const;
  // To be called once, when all threads have ended.
  Status Take(CheckResult* result);

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> listed_;
  uint64_t violations_ = 0;
  std::map<std::string, uint64_t> counted_;
  Status status_;
};

}  // namespace waltax
