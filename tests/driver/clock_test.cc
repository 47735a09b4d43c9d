#include "driver/clock.h"

#include <gtest/gtest.h>

namespace waltax {
namespace {

TEST(TickClock, StaysOnTheKernelsClock) {
  TickClock clock;
  for (int i = 0; i < 3; ++i) {
    // The kernel's reading before must not be later than ours, nor the one
    // after earlier, but for an error of the rate of 1 in 1,000 since Resync.
    const int64_t resynced = MonotonicNs();
    clock.Resync();
    const int64_t before = MonotonicNs();
    const int64_t now = clock.NowNs();
    const int64_t after = MonotonicNs();
    const int64_t slack = 1000 + (after - resynced) / 1000;
    EXPECT_GE(now, before - slack);
    EXPECT_LE(now, after + slack);
  }
}

TEST(TickClock, SleepsNoShorterThanAsked) {
  const TickClock clock;
  for (const int64_t wait_ns : {0, 1'000, 200'000}) {
    const int64_t deadline = clock.NowNs() + wait_ns;
    clock.Sleep(wait_ns);
    EXPECT_GE(clock.NowNs(), deadline);
  }
}

TEST(ThreadCpu, GrowsWithWork) {
  const int64_t before = ThreadCpuNs();
  volatile uint64_t sum = 0;
  for (int i = 0; i < 1'000'000; ++i) sum = sum + i;
  EXPECT_GT(ThreadCpuNs(), before);
}

}  // namespace
}  // namespace waltax
