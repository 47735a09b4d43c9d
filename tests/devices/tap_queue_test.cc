// Deadlines of the emulated device's queues, and the histogram's buckets.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "devices/preload/tap/model.h"
#include "devices/preload/tap/page.h"

namespace {

TEST(TapQueue, AnIdleServerStartsAtOnce) {
  uint64_t free_at = 0;
  EXPECT_EQ(tap_queue_reserve(&free_at, 1000, 20), 1020u);
  EXPECT_EQ(tap_queue_reserve(&free_at, 5000, 20), 5020u);
}

TEST(TapQueue, ABusyServerServesInOrder) {
  uint64_t free_at = 0;
  EXPECT_EQ(tap_queue_reserve(&free_at, 1000, 20), 1020u);
  EXPECT_EQ(tap_queue_reserve(&free_at, 1001, 30), 1050u);
  EXPECT_EQ(tap_queue_reserve(&free_at, 1002, 5), 1055u);
  EXPECT_EQ(tap_queue_reserve(&free_at, 1055, 5), 1060u);
}

TEST(TapQueue, ThreadsNeverShareServiceTime) {
  constexpr uint64_t kThreads = 4;
  constexpr uint64_t kJobs = 20000;
  uint64_t free_at = 0;
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&free_at] {
      for (uint64_t job = 0; job < kJobs; ++job)
        tap_queue_reserve(&free_at, 0, 3);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(free_at, kThreads * kJobs * 3);
}

TEST(TapCache, WritesWaitOnlyWhenItIsFull) {
  uint64_t drained_at = 0;
  EXPECT_EQ(tap_cache_admit(&drained_at, 1000, 60, 100), 1000u);
  EXPECT_EQ(tap_cache_admit(&drained_at, 1000, 40, 100), 1000u);
  EXPECT_EQ(tap_cache_admit(&drained_at, 1000, 50, 100), 1050u);
}

TEST(TapCache, DrainsWhileNobodyWrites) {
  uint64_t drained_at = 0;
  EXPECT_EQ(tap_cache_admit(&drained_at, 1000, 100, 100), 1000u);
  EXPECT_EQ(tap_cache_admit(&drained_at, 1070, 70, 100), 1070u);
}

// First nanosecond of a bucket, by the definition in page.h.
uint64_t BucketStart(unsigned bucket) {
  return (64 + bucket % 64) * (uint64_t{1} << (bucket / 64));
}

TEST(TapHistogram, BucketsAreContiguousAndNarrow) {
  for (unsigned bucket = 0; bucket + 1 < TAP_BUCKETS; ++bucket) {
    const uint64_t start = BucketStart(bucket);
    const uint64_t next = BucketStart(bucket + 1);
    EXPECT_EQ(tap_bucket(start), bucket);
    EXPECT_EQ(tap_bucket(next - 1), bucket);
    EXPECT_LE(static_cast<double>(next - start), 0.016 * start);
  }
}

TEST(TapHistogram, ClampsWhatLiesOutside) {
  EXPECT_EQ(tap_bucket(0), 0u);
  EXPECT_EQ(tap_bucket(63), 0u);
  EXPECT_EQ(tap_bucket(UINT64_MAX), static_cast<unsigned>(TAP_BUCKETS - 1));
}

}  // namespace
