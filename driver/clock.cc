#include "driver/clock.h"

#include <ctime>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "driver/reactor.h"

namespace waltax {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr int64_t kCalibrationNs = 5'000'000;

int64_t Read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * kNsPerSecond + now.tv_nsec;
}

// CPUID Fn8000_0007 EDX bit 8, "TscInvariant": the counter runs at one rate
// in all power states (Intel SDM vol. 3 17.17.1, AMD APM vol. 3 E.4.6).
bool CounterHasConstantRate() {
#if defined(__x86_64__)
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  if (__get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) == 0) return false;
  return (edx & (1U << 8)) != 0;
#else
  return false;
#endif
}

uint64_t ReadCounter() {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0;
#endif
}

}  // namespace

int64_t MonotonicNs() { return Read(CLOCK_MONOTONIC); }

int64_t ThreadCpuNs() { return Read(CLOCK_THREAD_CPUTIME_ID); }

double UnixSeconds() {
  return static_cast<double>(Read(CLOCK_REALTIME)) / kNsPerSecond;
}

TickClock::TickClock() : constant_rate_(CounterHasConstantRate()) {
  if (!constant_rate_) return;
  first_ = TakeAnchor();
  SleepFor(kCalibrationNs);
  Resync();
}

void TickClock::Resync() {
  if (!constant_rate_) return;
  anchor_ = TakeAnchor();
  const auto ns = static_cast<unsigned __int128>(anchor_.ns - first_.ns);
  const uint64_t ticks = anchor_.ticks - first_.ticks;
  ns_per_tick_ = static_cast<uint64_t>((ns << kFractionBits) / ticks);
}

// The tightest of several pairs, since we may be preempted between the reads.
TickClock::Anchor TickClock::TakeAnchor() {
  Anchor best;
  uint64_t best_gap = std::numeric_limits<uint64_t>::max();
  for (int i = 0; i < 10; ++i) {
    const uint64_t before = ReadCounter();
    const int64_t ns = MonotonicNs();
    const uint64_t gap = ReadCounter() - before;
    if (gap >= best_gap) continue;
    best_gap = gap;
    best = {before + gap / 2, ns};
  }
  return best;
}

void TickClock::Sleep(int64_t ns) const { SleepFor(ns); }

}  // namespace waltax
