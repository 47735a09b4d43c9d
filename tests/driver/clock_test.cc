#include "driver/clock.h"

#include <gtest/gtest.h>

namespace waltax {
namespace {

TEST(LoopClock, SleepsNoShorterThanAsked) {
  const LoopClock clock;
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
