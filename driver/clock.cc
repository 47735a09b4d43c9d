#include "driver/clock.h"

#include <ctime>

namespace waltax {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

int64_t Read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

}  // namespace

int64_t MonotonicNs() { return Read(CLOCK_MONOTONIC); }

int64_t ThreadCpuNs() { return Read(CLOCK_THREAD_CPUTIME_ID); }

double UnixSeconds() {
  return static_cast<double>(Read(CLOCK_REALTIME)) / kNsPerSecond;
}

}  // namespace waltax
