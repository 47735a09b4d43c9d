#include "driver/slice_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "driver/engine.h"
#include "driver/reactor.h"
#include "tests/driver/fakes.h"
#include "tests/driver/sockets.h"

namespace waltax {
namespace {

RunFlags Threads(int threads) {
  RunFlags flags;
  flags.threads = threads;
  return flags;
}

SliceRequest Requests(uint64_t per_thread) {
  SliceRequest request;
  request.requests = per_thread;
  return request;
}

// Counts its snapshots.
class CountingEngine : public NullEngine {
 public:
  [[nodiscard]] Counters Snapshot() const override {
    return {{"snapshots", ++snapshots_}, {"constant", 5}};
  }
  [[nodiscard]] uint64_t DataBytes() const override {
    return 1000 * snapshots_;
  }

 private:
  mutable uint64_t snapshots_ = 0;
};

TEST(SliceRunner, ExecutesExactlyTheRequestsAskedOfEachThread) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(4));
  const SliceResult result = runner.Run(Requests(1000));
  EXPECT_EQ(workload.executed, 4000U);
  EXPECT_EQ(result.executed, 4000U);
  EXPECT_EQ(result.Requests(), 4000U);
  EXPECT_EQ(result.operations[0].latency_ns.Count(), 2000U);
  EXPECT_EQ(result.operations[1].latency_ns.Count(), 2000U);
  ASSERT_EQ(result.threads.size(), 4U);
  for (const auto& thread : result.threads) EXPECT_EQ(thread.requests, 1000U);
}

TEST(SliceRunner, SharesOutARemainderToItsFirstThreads) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(4));
  SliceRequest request = Requests(25);
  request.one_more = 3;
  const SliceResult result = runner.Run(request);
  EXPECT_EQ(workload.executed, 103U);
  ASSERT_EQ(result.threads.size(), 4U);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(result.threads[i].requests, i < 3 ? 26U : 25U);
  }
}

TEST(SliceRunner, CountsEverySliceFromZero) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(2));
  (void)runner.Run(Requests(100));
  const SliceResult second = runner.Run(Requests(10));
  EXPECT_EQ(second.executed, 20U);
  EXPECT_EQ(second.Requests(), 20U);
  EXPECT_EQ(workload.executed, 220U);
}

TEST(SliceRunner, RunsNothingWhileParked) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(3));
  EXPECT_EQ(workload.executed, 0U);
  (void)runner.Run(Requests(50));
  const int64_t cpu_before = clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(workload.executed, 150U);
  // Nor does it spin: three spinning threads would burn most of 50 ms.
  EXPECT_LT(clock() - cpu_before, CLOCKS_PER_SEC / 50);
}

TEST(SliceRunner, EveryMeasuredRequestIsInOneThreadAndOneOperation) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(2));
  SliceRequest request;
  request.warmup_s = 0.01;
  request.measure_s = 0.02;
  const SliceResult result = runner.Run(request);
  uint64_t by_thread = 0;
  for (const auto& thread : result.threads) by_thread += thread.requests;
  EXPECT_EQ(by_thread, result.Requests());
  EXPECT_EQ(workload.executed, result.executed);
  EXPECT_LT(result.Requests(), result.executed);
  const double both_s = result.threads[0].seconds + result.threads[1].seconds;
  EXPECT_NEAR(result.measure_s, both_s / 2, 1e-9);
  EXPECT_NEAR(result.driven_s, 0.03 + result.overtime_s, 1e-9);
}

TEST(SliceRunner, MeasuresForAsLongAsItsLastRequestsTake) {
  FakeWorkload workload([](int thread, uint64_t) {
    if (thread == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return Outcome{};
  });
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(2));
  SliceRequest request;
  request.measure_s = 0.2;
  const SliceResult result = runner.Run(request);
  EXPECT_EQ(result.threads[0].requests, 1U);
  EXPECT_GE(result.threads[0].seconds, 0.3);
  EXPECT_GE(result.overtime_s, 0.1);
  EXPECT_GE(result.driven_s, 0.3);
}

TEST(SliceRunner, SaysWhatAnOpenLoopDidNotServe) {
  FakeWorkload workload([](int, uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return Outcome{};
  });
  NullEngine engine;
  RunFlags flags = Threads(2);
  flags.rate = 100'000;
  SliceRunner runner(workload, engine, flags);
  SliceRequest request;
  request.measure_s = 0.05;
  const SliceResult result = runner.Run(request);
  EXPECT_EQ(result.rate, 100'000);
  EXPECT_GT(result.unserved.requests, 4000U);
  EXPECT_GT(result.unserved.oldest_s, 0.04);
  EXPECT_NEAR(result.measure_s, 0.05, 1e-9);
}

TEST(SliceRunner, StopsAllThreadsAtAnError) {
  const std::string reason = "no space left";
  FakeWorkload workload([&reason](int thread, uint64_t request) {
    return thread == 0 && request == 5 ? Outcome{.error = &reason} : Outcome{};
  });
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(3));
  SliceRequest request;
  request.measure_s = 3600;
  const SliceResult result = runner.Run(request);
  EXPECT_TRUE(result.failed);
  EXPECT_EQ(result.errors, 1U);
  EXPECT_EQ(result.error_samples, std::vector<std::string>{reason});
}

TEST(SliceRunner, StopsTheOpenLoopAtAnErrorToo) {
  const std::string reason = "no space left";
  FakeWorkload workload(
      [&reason](int, uint64_t) { return Outcome{.error = &reason}; });
  NullEngine engine;
  RunFlags flags = Threads(2);
  flags.rate = 1000;
  SliceRunner runner(workload, engine, flags);
  SliceRequest request;
  request.measure_s = 3600;
  EXPECT_TRUE(runner.Run(request).failed);
}

TEST(SliceRunner, ReportsDifferencesOfTheEnginesCounters) {
  FakeWorkload workload;
  CountingEngine engine;
  SliceRunner runner(workload, engine, Threads(2));
  const SliceResult result = runner.Run(Requests(1));
  EXPECT_EQ(result.counters.at("snapshots"), 1U);
  EXPECT_EQ(result.counters.at("constant"), 0U);
}

TEST(SliceRunner, ReportsTheSizeOfTheDataAtTheEndOfTheSlice) {
  FakeWorkload workload;
  CountingEngine engine;
  SliceRunner runner(workload, engine, Threads(2));
  EXPECT_EQ(runner.Run(Requests(1)).data_bytes, 2000U);
}

TEST(SliceRunner, AddsUpTheInputsOfAllWorkersForEachSliceAnew) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(2));
  const SliceResult first = runner.Run(Requests(10));
  ASSERT_EQ(first.inputs.size(), 1U);
  EXPECT_EQ(first.inputs[0].samples, 20U);
  EXPECT_EQ(first.inputs[0].sum, 2U * 110U);
  const SliceResult second = runner.Run(Requests(1));
  EXPECT_EQ(second.inputs[0].samples, 2U);
  EXPECT_EQ(second.inputs[0].sum, 2U * 22U);
}

TEST(SliceRunner, CountsTheInputsOfTheWarmUpToo) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(1));
  SliceRequest request = Requests(10);
  request.warmup_s = 0.01;
  const SliceResult result = runner.Run(request);
  EXPECT_EQ(result.inputs[0].samples, result.executed);
  EXPECT_GT(result.executed, 10U);
}

TEST(SliceRunner, ReportsWorkersCountersFoundAndRetries) {
  FakeWorkload workload([](int, uint64_t) {
    return Outcome{
        .found = 2, .not_found = 1, .rows = 3, .retries = 4, .tally = 5};
  });
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(1));
  (void)runner.Run(Requests(3));
  const SliceResult result = runner.Run(Requests(10));
  EXPECT_EQ(result.operations[0].found, 20U);
  EXPECT_EQ(result.operations[0].not_found, 10U);
  EXPECT_EQ(result.threads[0].counters["drawn"], 13);
  EXPECT_EQ(result.threads[0].counters["tally"], 50);
  EXPECT_EQ(result.operations[0].rows, 30U);
  EXPECT_EQ(result.retries, 40U);
}

TEST(SliceRunner, CountsWhatCommittedInTheWholeSlice) {
  const std::string reason = "given up";
  FakeWorkload workload([&reason](int, uint64_t request) {
    return Outcome{.committed = request % 4 < 2,
                   .error = request % 4 == 0 ? &reason : nullptr};
  });
  NullEngine engine;
  RunFlags flags = Threads(2);
  flags.max_failed_requests = -1;
  SliceRunner runner(workload, engine, flags);
  SliceRequest request = Requests(4000);
  request.warmup_s = 0.01;
  const SliceResult result = runner.Run(request);
  EXPECT_GT(result.executed, 8000U);
  EXPECT_NEAR(static_cast<double>(result.commits),
              static_cast<double>(result.executed) / 4, 2);
}

TEST(SliceRunner, ReportsProgressWhileItRuns) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(2));
  SliceRequest request = Requests(200'000);
  request.progress_s = 0.001;
  std::vector<uint64_t> reported;
  double before_s = 0;
  const SliceResult result = runner.Run(
      request, [&](double elapsed_s, uint64_t requests, uint64_t errors) {
        reported.push_back(requests);
        EXPECT_GE(elapsed_s, before_s);
        EXPECT_EQ(errors, 0U);
        before_s = elapsed_s;
      });
  EXPECT_EQ(result.Requests(), 400'000U);
  ASSERT_FALSE(reported.empty());
  EXPECT_TRUE(std::is_sorted(reported.begin(), reported.end()));
  EXPECT_LE(reported.back(), 400'000U);
}

// As a server's: its requests wait for sockets alone.
class SocketEngine : public NullEngine {
 public:
  [[nodiscard]] bool WaitsForSockets() const override { return true; }
};

// Requests that ask over a socket each, and end with its answer.
class Asking {
 public:
  explicit Asking(int requesters)
      : pairs(static_cast<size_t>(requesters)),
        workload([this](int requester, uint64_t) {
          const int socket = pairs[static_cast<size_t>(requester)].client();
          Send(socket, "?");
          Receive(Reactor::Current(), socket, 1);
          return Outcome{.operation = requester == 0 ? 0U : 1U};
        }) {}
  [[nodiscard]] int server(size_t requester) const {
    return pairs[requester].server();
  }

  std::vector<SocketPair> pairs;
  FakeWorkload workload;
};

// Their number is more than a machine has CPUs, so that threads are shared.
int Crowd() {
  return 3 *
         static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

TEST(SliceRunner, HasAsManyRequestsUnderWayAsRequestersWhereTheyShareThreads) {
  Asking asking(Crowd());
  SocketEngine engine;
  SliceRunner runner(asking.workload, engine, Threads(Crowd()));
  // It answers nobody before everybody asked: fewer would wait for ever. Nor
  // has anyone asked twice.
  std::thread server([&] {
    for (int round = 0; round < 50; ++round) {
      for (const SocketPair& pair : asking.pairs) {
        EXPECT_EQ(Receive(nullptr, pair.server(), 1), "?");
      }
      for (const SocketPair& pair : asking.pairs) {
        char more = 0;
        EXPECT_EQ(recv(pair.server(), &more, 1, MSG_DONTWAIT), -1);
      }
      for (const SocketPair& pair : asking.pairs) Send(pair.server(), "!");
    }
  });
  const SliceResult result = runner.Run(Requests(50));
  server.join();
  EXPECT_EQ(result.executed, 50U * static_cast<unsigned>(Crowd()));
  for (const auto& thread : result.threads) EXPECT_EQ(thread.requests, 50U);
}

// One that waits is not waited for: the others of its thread go on, and its own
// latency has all that they did meanwhile.
TEST(SliceRunner, TakesARequestersOwnTimeWhereTheyShareThreads) {
  Asking asking(Crowd());
  SocketEngine engine;
  SliceRunner runner(asking.workload, engine, Threads(Crowd()));
  std::thread server([&] {
    EXPECT_EQ(Receive(nullptr, asking.server(0), 1), "?");
    for (int round = 0; round < 20; ++round) {
      for (size_t i = 1; i < asking.pairs.size(); ++i) {
        EXPECT_EQ(Receive(nullptr, asking.server(i), 1), "?");
        Send(asking.server(i), "!");
      }
    }
    Send(asking.server(0), "!");
    for (int round = 1; round < 20; ++round) {
      EXPECT_EQ(Receive(nullptr, asking.server(0), 1), "?");
      Send(asking.server(0), "!");
    }
  });
  const SliceResult result = runner.Run(Requests(20));
  server.join();
  // Of any other requester, 18 requests began after and ended before that.
  EXPECT_GE(result.operations[0].latency_ns.Max(),
            18 * result.operations[1].latency_ns.Min());
  EXPECT_EQ(result.operations[0].latency_ns.Count(), 20U);
}

TEST(SliceRunner, GivesEachRequesterAThreadWhereTheyWaitForAnythingElse) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  FakeWorkload workload([&](int, uint64_t) {
    const std::scoped_lock lock(mutex);
    threads.insert(std::this_thread::get_id());
    EXPECT_EQ(Reactor::Current(), nullptr);
    return Outcome{};
  });
  NullEngine engine;
  SliceRunner runner(workload, engine, Threads(Crowd()));
  (void)runner.Run(Requests(10));
  EXPECT_EQ(threads.size(), static_cast<size_t>(Crowd()));
}

TEST(SliceRunner, KeepsAnOpenLoopsScheduleWhereRequestersShareThreads) {
  FakeWorkload workload;
  SocketEngine engine;
  RunFlags flags = Threads(Crowd());
  flags.rate = 2000;
  SliceRunner runner(workload, engine, flags);
  SliceRequest request;
  request.measure_s = 0.5;
  const SliceResult result = runner.Run(request);
  // A Poisson process of mean 1000: five standard deviations.
  EXPECT_NEAR(static_cast<double>(result.Requests()), 1000, 160);
}

}  // namespace
}  // namespace waltax
