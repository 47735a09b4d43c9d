#include "driver/retry.h"

#include <algorithm>

#include "driver/reactor.h"

namespace waltax {
namespace {

// Pauses between retries double from the first to the longest one.
constexpr double kFirstPauseUs = 50;
constexpr double kLongestPauseUs = 20'000;

}  // namespace

void RetryLoop::Pause(uint32_t retries) {
  const double doubled =
      kFirstPauseUs * static_cast<double>(1U << std::min(retries - 1, 16U));
  const double pause_us =
      std::min(doubled, kLongestPauseUs) * (0.5 + random_.NextDouble());
  SleepFor(static_cast<int64_t>(1e3 * pause_us));
}

}  // namespace waltax
