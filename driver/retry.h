// Why a transaction that met another one is tried again, and how, whatever the
// engine.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "driver/random.h"
#include "driver/reactor.h"

namespace waltax {

// A conflict later than this after the first attempt began is the last one. An
// attempt waits up to a second for each lock (a server:
// engines/server/settings.py), so that the number of retries alone bounds no
// useful time.
inline constexpr std::chrono::seconds kLongestTransaction(10);

// Used by one thread.
class RetryLoop {
 public:
  RetryLoop(int max_retries, uint64_t seed,
            std::chrono::nanoseconds longest = kLongestTransaction)
      : max_retries_(max_retries),
        longest_(longest),
        random_(seed, kRetryStream) {}

  // Calls `attempt()`, which returns a status with ok() and keeps no lock
  // unless that is true, until it succeeds, fails for good, or has met
  // conflicts too often or for too long; pauses before it calls it again, and
  // adds 1 to `retries`. `is_conflict(status)` says whether a failure was one.
  template <typename Attempt, typename IsConflict>
  auto Run(const Attempt& attempt, const IsConflict& is_conflict,
           uint32_t* retries) {
    const auto deadline = std::chrono::steady_clock::now() + longest_;
    for (uint32_t retry = 1;; ++retry) {
      auto status = attempt();
      if (status.ok() || retry > static_cast<uint32_t>(max_retries_) ||
          std::chrono::steady_clock::now() >= deadline ||
          !is_conflict(status)) {
        return status;
      }
      ++*retries;
      Pause(retry);
    }
  }

 private:
  // Apart from the streams of workers, from 0, and of arrivals, from 1 << 32.
  static constexpr uint64_t kRetryStream = uint64_t{2} << 32;

  // Before the `retry`-th one, from 1: pauses double from 50 us to 20 ms.
  void Pause(uint32_t retry) {
    const double doubled =
        50 * static_cast<double>(1U << std::min(retry - 1, 16U));
    const double pause_us =
        std::min(doubled, 20e3) * (0.5 + random_.NextDouble());
    SleepFor(static_cast<int64_t>(1e3 * pause_us));
  }

  int max_retries_;
  std::chrono::nanoseconds longest_;
  Random random_;
};

}  // namespace waltax
