// What the threads of a check find, put together.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "driver/status.h"
#include "driver/workload.h"

namespace waltax {

// Thread-safe.
class Findings {
 public:
  // Counted, and listed unless there are many of its kind, which is what stands
  // before the first colon: a fault with many rows hides no other. Those listed
  // are the first in the order of their letters, whatever thread came first.
  void Violation(std::string sentence);
  // The same of what is wanted and does not hold.
  template <typename... Args>
  void Want(bool holds, fmt::format_string<const Args&...> sentence,
            const Args&... args) {
    if (!holds) [[unlikely]]
      Violation(fmt::format(sentence, args...));
  }
  // Adds to the rows that were looked at under this name.
  void Count(const std::string& name, uint64_t rows);
  // There is a log of so many acknowledgements.
  void Acknowledged(uint64_t count);
  // One of them is lost, the `number`th from 0: counted once, and its sentence
  // is a violation.
  void Lost(uint64_t number, std::string sentence);
  void Fail(const Status& status);
  [[nodiscard]] bool failed() const;
  // To be called once, when all threads have ended.
  Status Take(CheckResult* result);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::multiset<std::string>, std::less<>> listed_;
  uint64_t violations_ = 0;
  std::map<std::string, uint64_t> counted_;
  std::optional<uint64_t> acknowledged_;
  std::set<uint64_t> lost_;  // their numbers
  Status status_;
};

}  // namespace waltax
