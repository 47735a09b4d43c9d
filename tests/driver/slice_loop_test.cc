#include "driver/slice_loop.h"

#include <gtest/gtest.h>

#include <limits>

#include "driver/random.h"
#include "tests/driver/fakes.h"

namespace waltax {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

class Loop : public ::testing::Test {
 protected:
  // Requests that take `service_ns` each, after `draw_ns` to draw them.
  FakeWorker WorkerOf(int64_t service_ns, int64_t draw_ns = 0) {
    return FakeWorker(
        [this, service_ns](uint64_t) {
          clock_.Advance(service_ns);
          return Outcome{};
        },
        [this, draw_ns] { clock_.Advance(draw_ns); });
  }

  void Run(const LoopLimits& limits, const Window& window, Worker& worker,
           Arrivals* arrivals = nullptr) {
    recorder_.SetWindow(window);
    RunLoop(clock_, limits, worker, arrivals, failure_, recorder_);
  }

  const Histogram& Latency() { return recorder_.Operations()[0].latency_ns; }

  FakeClock clock_;
  Failure failure_;
  Recorder recorder_{2};
};

TEST_F(Loop, MeasuresRequestsThatBeginInTheWindow) {
  FakeWorker worker = WorkerOf(100);
  Run({1000, 0}, {400, 1000}, worker);
  // They begin at 0, 100, ..., 900; the window's first moment belongs to it.
  EXPECT_EQ(recorder_.Executed(), 10U);
  EXPECT_EQ(recorder_.Requests(), 6U);
  EXPECT_EQ(recorder_.FirstBeginNs(), 400);
  EXPECT_EQ(recorder_.LastEndNs(), 1000);
  EXPECT_EQ(Latency().Count(), 6U);
  EXPECT_EQ(Latency().Max(), 100U);
}

TEST_F(Loop, MeasuresTheLastRequestInFullWheneverItEnds) {
  FakeWorker worker = WorkerOf(300);
  Run({1000, 0}, {0, 1000}, worker);
  EXPECT_EQ(recorder_.Executed(), 4U);
  EXPECT_EQ(recorder_.Requests(), 4U);
  EXPECT_EQ(recorder_.LastEndNs(), 1200);
  EXPECT_EQ(Latency().Max(), 300U);
}

TEST_F(Loop, MeasuresNothingWhenTheWarmUpLastsUntilTheEnd) {
  FakeWorker worker = WorkerOf(2000);
  Run({1000, 0}, {400, 1000}, worker);
  EXPECT_EQ(recorder_.Executed(), 1U);
  EXPECT_EQ(recorder_.Requests(), 0U);
  EXPECT_EQ(recorder_.LastEndNs(), recorder_.FirstBeginNs());
}

// One of fifty requests takes 5000 ns where a slice takes 1500, and the others
// 100: slices must say what a long run does, 198 ns a request.
TEST_F(Loop, ChargesAWaitInFullWhateverItsLength) {
  Random random(7);
  FakeWorker worker([&](uint64_t) {
    clock_.Advance(random.NextInt(50) == 0 ? 5000 : 100);
    return Outcome{};
  });
  double requests = 0;
  double ns = 0;
  double longest = 0;
  for (int i = 0; i < 40'000; ++i) {
    recorder_.Clear();
    const int64_t start_ns = clock_.NowNs() + 500;
    Run({start_ns + 1000, 0}, {start_ns, start_ns + 1000}, worker);
    requests += static_cast<double>(recorder_.Requests());
    ns += static_cast<double>(recorder_.LastEndNs() - recorder_.FirstBeginNs());
    longest += Latency().Max() == 5000 ? 1 : 0;
  }
  EXPECT_NEAR(ns / requests, 198, 4);
  EXPECT_NEAR(longest / requests, 0.02, 0.001);
}

TEST_F(Loop, StopsExactlyAtTheRequestLimitNotCountingTheWarmUp) {
  FakeWorker worker = WorkerOf(100);
  Run({kNever, 5}, {1000, kNever}, worker);
  EXPECT_EQ(recorder_.Requests(), 5U);
  EXPECT_EQ(recorder_.Executed(), 15U);
}

TEST_F(Loop, DrawsOncePerRequestOutsideTheTimedPart) {
  FakeWorker worker = WorkerOf(100, /*draw_ns=*/1000);
  Run({11'000, 0}, {0, 11'000}, worker);
  EXPECT_EQ(worker.drawn(), 10U);
  EXPECT_EQ(recorder_.Requests(), 10U);
  EXPECT_EQ(Latency().Max(), 100U);
}

TEST_F(Loop, PausesFromTheEndOfTheLastRequestOutsideTheTimedPart) {
  FakeWorker worker = WorkerOf(100, /*draw_ns=*/300);
  worker.pause_ns = 900;
  Run({10'000, 0}, {0, 10'000}, worker);
  // The first starts at 900, each next one 900 after the last one's end: the
  // drawing is part of the pause.
  EXPECT_EQ(recorder_.Requests(), 10U);
  EXPECT_EQ(recorder_.LastEndNs(), 10'000);
  EXPECT_EQ(Latency().Max(), 100U);
}

TEST_F(Loop, DoesNotPauseWhenDrawingTookLonger) {
  FakeWorker worker = WorkerOf(100, /*draw_ns=*/900);
  worker.pause_ns = 300;
  Run({10'000, 0}, {0, 10'000}, worker);
  EXPECT_EQ(recorder_.Requests(), 10U);
}

TEST_F(Loop, EndsAPauseWithTheSliceAndDoesNotExecuteWhatItWasFor) {
  FakeWorker worker = WorkerOf(100);
  worker.pause_ns = 600;
  Run({1000, 0}, {0, 1000}, worker);
  EXPECT_EQ(recorder_.Executed(), 1U);
  EXPECT_EQ(worker.drawn(), 2U);
  EXPECT_EQ(clock_.NowNs(), 1000);
  EXPECT_TRUE(recorder_.Paced());
}

TEST_F(Loop, SleepsThroughALongPauseInStretches) {
  EXPECT_TRUE(WaitWithin(clock_, 1'234'567'890, kNever, failure_));
  EXPECT_EQ(clock_.NowNs(), 1'234'567'890);
  EXPECT_EQ(clock_.sleeps, 25);
}

TEST_F(Loop, SleepsForEachArrivalAndCountsALateWakeUpInItsLatency) {
  Arrivals arrivals(1, Random(5));
  arrivals.Restart(0);
  clock_.late_ns = 70;
  FakeWorker worker = WorkerOf(10);
  Run({kNever, 1}, {0, kNever}, worker, &arrivals);
  EXPECT_EQ(recorder_.Requests(), 1U);
  EXPECT_GT(Latency().Max(), 10U);
  EXPECT_LE(Latency().Max(), 80U);
  EXPECT_GT(clock_.sleeps, 0);
}

TEST_F(Loop, EndsAPauseWhenTheRunFailsElsewhere) {
  FakeWorker worker = WorkerOf(100);
  worker.pause_ns = 3'600'000'000'000;
  failure_.Happen();
  EXPECT_FALSE(WaitWithin(clock_, worker.pause_ns, kNever, failure_));
  EXPECT_EQ(clock_.NowNs(), 0);
}

TEST_F(Loop, HeedsNoPausesInAnOpenLoop) {
  Arrivals arrivals(1e6, Random(5));
  arrivals.Restart(0);
  FakeWorker worker = WorkerOf(1);
  worker.pause_ns = 50'000'000;
  Run({100'000'000, 0}, {0, 100'000'000}, worker, &arrivals);
  EXPECT_GT(recorder_.Requests(), 90'000U);
}

TEST_F(Loop, CountsOpenLoopLatencyFromTheSchedule) {
  // One request every 100 ns on average, but each takes 1000 ns: the k-th
  // waits for all before it, and its latency must say so.
  Arrivals arrivals(1e7, Random(1));
  arrivals.Restart(0);
  Arrivals same(1e7, Random(1));
  same.Restart(0);
  FakeWorker worker = WorkerOf(1000);
  Run({kNever, 50}, {0, kNever}, worker, &arrivals);
  int64_t end_ns = 0;
  int64_t worst_ns = 0;
  double sum_ns = 0;
  for (int i = 0; i < 50; ++i) {
    const int64_t due_ns = same.NextNs();
    end_ns = std::max(end_ns, due_ns) + 1000;
    worst_ns = std::max(worst_ns, end_ns - due_ns);
    sum_ns += static_cast<double>(end_ns - due_ns);
  }
  EXPECT_EQ(Latency().Max(), static_cast<uint64_t>(worst_ns));
  EXPECT_DOUBLE_EQ(Latency().Mean(), sum_ns / 50);
  EXPECT_GT(Latency().Max(), 40'000U);
}

TEST_F(Loop, RequestsAtEvenDistancesAreDueByTurnsOverTheThreads) {
  Arrivals first(1e6, Random(1), 0.5);
  Arrivals second(1e6, Random(2), 1);
  first.Restart(10'000);
  second.Restart(10'000);
  EXPECT_EQ(first.NextNs(), 10'500);
  EXPECT_EQ(second.NextNs(), 11'000);
  EXPECT_EQ(first.NextNs(), 11'500);
  EXPECT_EQ(second.NextNs(), 12'000);
}

TEST_F(Loop, OpenLoopWaitsForTheEndWithoutDrawingMore) {
  Arrivals rare(1, Random(1));
  rare.Restart(0);
  FakeWorker worker = WorkerOf(10);
  Run({1000, 0}, {0, 1000}, worker, &rare);
  EXPECT_EQ(worker.drawn(), 0U);
  EXPECT_EQ(clock_.NowNs(), 1000);
}

TEST_F(Loop, OpenLoopCountsWhatIsDueAndNotServedWhenItEnds) {
  // 10,000 arrive, one every 100 ns, of which each takes 400.
  Arrivals arrivals(1e7, Random(3));
  arrivals.Restart(0);
  FakeWorker worker = WorkerOf(400);
  Run({1'000'000, 0}, {0, 1'000'000}, worker, &arrivals);
  EXPECT_NEAR(static_cast<double>(recorder_.Requests()), 2500, 2);
  EXPECT_NEAR(static_cast<double>(arrivals.unserved().requests), 7500, 500);
  EXPECT_NEAR(arrivals.unserved().oldest_s, 750e-6, 50e-6);
  arrivals.Restart(clock_.NowNs());
  EXPECT_EQ(arrivals.unserved().requests, 0U);
}

TEST_F(Loop, OpenLoopCountsThoseThatTheLastRequestHeldUp) {
  Arrivals arrivals(1e7, Random(3));
  arrivals.Restart(0);
  FakeWorker worker([&](uint64_t request) {
    clock_.Advance(request == 500 ? 900'000 : 1);
    return Outcome{};
  });
  Run({100'000, 0}, {0, 100'000}, worker, &arrivals);
  EXPECT_EQ(recorder_.Requests(), 501U);
  EXPECT_EQ(Latency().Max(), 900'000U);
  EXPECT_NEAR(static_cast<double>(arrivals.unserved().requests), 500, 110);
}

TEST_F(Loop, OpenLoopThatKeepsUpLeavesNothing) {
  Arrivals arrivals(1e6, Random(5));
  arrivals.Restart(0);
  FakeWorker worker = WorkerOf(1);
  Run({100'000, 0}, {0, 100'000}, worker, &arrivals);
  EXPECT_EQ(arrivals.unserved().requests, 0U);
}

TEST_F(Loop, OpenLoopKeepsItsRate) {
  Arrivals arrivals(1e6, Random(5));
  arrivals.Restart(0);
  FakeWorker worker = WorkerOf(1);
  Run({100'000'000, 0}, {0, 100'000'000}, worker, &arrivals);
  // 100,000 expected; five standard deviations of a Poisson count.
  EXPECT_NEAR(static_cast<double>(recorder_.Requests()), 100'000, 1582);
}

TEST_F(Loop, StopsAtTheFirstFailureByDefault) {
  const std::string reason = "disk on fire";
  FakeWorker worker([&](uint64_t request) {
    clock_.Advance(1);
    return request == 3 ? Outcome{.error = &reason} : Outcome{};
  });
  Run({kNever, 0}, {0, kNever}, worker);
  EXPECT_EQ(recorder_.Requests(), 3U);
  EXPECT_EQ(recorder_.Errors(), 1U);
  EXPECT_EQ(recorder_.Operations()[0].errors, 1U);
  EXPECT_EQ(recorder_.ErrorSamples(), std::vector<std::string>{reason});
}

TEST(Recorder, NeverRecordsANegativeLatency) {
  Recorder recorder(1);
  recorder.SetWindow({0, kNever});
  recorder.Add({}, 100, 100, 90);
  EXPECT_EQ(recorder.Operations()[0].latency_ns.Max(), 0U);
}

}  // namespace
}  // namespace waltax
