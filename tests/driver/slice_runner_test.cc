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

uint64_t Number(const nlohmann::json& event, const char* name) {
  return event.at(name).get<uint64_t>();
}
double Seconds(const nlohmann::json& event, const char* name) {
  return event.at(name).get<double>();
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
  SliceRunner runner(workload, {&engine}, Threads(4));
  const nlohmann::json result = runner.Run(Requests(1000));
  EXPECT_EQ(workload.executed, 4000U);
  EXPECT_EQ(Number(result, "slice_requests"), 4000U);
  EXPECT_EQ(Number(result, "requests"), 4000U);
  EXPECT_EQ(result["operations"]["EVEN"]["count"], 2000U);
  EXPECT_EQ(result["operations"]["ODD"]["count"], 2000U);
  EXPECT_EQ(workload.ByThread(), std::vector<uint64_t>(4, 1000));
}

TEST(SliceRunner, CountsEverySliceFromZero) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(2));
  (void)runner.Run(Requests(100));
  const nlohmann::json second = runner.Run(Requests(10));
  EXPECT_EQ(Number(second, "slice_requests"), 20U);
  EXPECT_EQ(Number(second, "requests"), 20U);
  EXPECT_EQ(workload.executed, 220U);
}

TEST(SliceRunner, RunsNothingWhileParked) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(3));
  EXPECT_EQ(workload.executed, 0U);
  (void)runner.Run(Requests(50));
  const int64_t cpu_before = clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(workload.executed, 150U);
  // Nor does it spin: three spinning threads would burn most of 50 ms.
  EXPECT_LT(clock() - cpu_before, CLOCKS_PER_SEC / 50);
}

TEST(SliceRunner, EveryMeasuredRequestIsInOneOperation) {
  FakeWorkload workload;
  NullEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(2));
  SliceRequest request;
  request.warmup_s = 0.2;  // so that a thread of a busy machine runs in it
  request.measure_s = 0.2;
  const nlohmann::json result = runner.Run(request);
  EXPECT_EQ(Number(result["operations"]["EVEN"], "count") +
                Number(result["operations"]["ODD"], "count"),
            Number(result, "requests"));
  EXPECT_EQ(workload.executed, Number(result, "slice_requests"));
  EXPECT_LT(Number(result, "requests"), Number(result, "slice_requests"));
  EXPECT_NEAR(Seconds(result, "driven_s"), 0.4 + Seconds(result, "overtime_s"),
              1e-9);
}

TEST(SliceRunner, MeasuresForAsLongAsItsLastRequestsTake) {
  FakeWorkload workload([](int thread, uint64_t) {
    const int ms = thread == 0 ? 300 : 100;
    std::this_thread::sleep_for(std::chrono::milliseconds(ms));
    return Outcome{};
  });
  NullEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(2));
  SliceRequest request;
  request.measure_s = 0.2;
  const nlohmann::json result = runner.Run(request);
  EXPECT_EQ(workload.ByThread()[0], 1U);
  // Of 0.3 s and 0.2 s or more, the mean.
  EXPECT_GE(Seconds(result, "measure_s"), 0.25);
  EXPECT_GE(Seconds(result, "overtime_s"), 0.1);
  EXPECT_GE(Seconds(result, "driven_s"), 0.3);
}

TEST(SliceRunner, SaysWhatAnOpenLoopDidNotServe) {
  FakeWorkload workload([](int, uint64_t) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return Outcome{};
  });
  NullEngine engine;
  RunFlags flags = Threads(2);
  flags.rate = 100'000;
  SliceRunner runner(workload, {&engine}, flags);
  SliceRequest request;
  request.measure_s = 0.5;
  const nlohmann::json result = runner.Run(request);
  EXPECT_EQ(result["rate"], 100'000);
  EXPECT_GT(Number(result, "unserved"), 40000U);
  EXPECT_GT(Seconds(result, "unserved_oldest_s"), 0.4);
  EXPECT_NEAR(Seconds(result, "measure_s"), 0.5, 1e-9);
}

TEST(SliceRunner, StopsAllThreadsAtAnError) {
  const std::string reason = "no space left";
  FakeWorkload workload([&reason](int thread, uint64_t request) {
    return thread == 0 && request == 5 ? Outcome{.error = &reason} : Outcome{};
  });
  NullEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(3));
  SliceRequest request;
  request.measure_s = 3600;
  const nlohmann::json result = runner.Run(request);
  EXPECT_TRUE(runner.failed());
  EXPECT_EQ(Number(result, "errors"), 1U);
  EXPECT_EQ(result["error_samples"], nlohmann::json::array({reason}));
}

TEST(SliceRunner, StopsTheOpenLoopAtAnErrorToo) {
  const std::string reason = "no space left";
  FakeWorkload workload(
      [&reason](int, uint64_t) { return Outcome{.error = &reason}; });
  NullEngine engine;
  RunFlags flags = Threads(2);
  flags.rate = 1000;
  SliceRunner runner(workload, {&engine}, flags);
  SliceRequest request;
  request.measure_s = 3600;
  (void)runner.Run(request);
  EXPECT_TRUE(runner.failed());
}

TEST(SliceRunner, ReportsDifferencesOfTheEnginesCounters) {
  FakeWorkload workload;
  CountingEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(2));
  const nlohmann::json result = runner.Run(Requests(1));
  EXPECT_EQ(result["counters"],
            (nlohmann::json{{"snapshots", 1}, {"constant", 0}}));
}

TEST(SliceRunner, ReportsTheSizeOfTheDataAtTheEndOfTheSlice) {
  FakeWorkload workload;
  CountingEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(2));
  EXPECT_EQ(runner.Run(Requests(1))["data_bytes"], 2000U);
}

TEST(SliceRunner, ReportsRowsRetriesAndWhatWorkersCount) {
  FakeWorkload workload(
      [](int, uint64_t) { return Outcome{.rows = 3, .retries = 4}; });
  NullEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(2));
  (void)runner.Run(Requests(3));
  const nlohmann::json result = runner.Run(Requests(10));
  EXPECT_EQ(result["columns"], (nlohmann::json{{"drawn", 2 * 13}}));
  EXPECT_EQ(result["operations"]["EVEN"]["rows"], 60U);
  EXPECT_EQ(result["retries"], 80U);
}

TEST(SliceRunner, CountsWhatCommittedInTheWholeSlice) {
  FakeWorkload workload([](int, uint64_t request) {
    return Outcome{.committed = request % 4 == 0};
  });
  NullEngine engine;
  SliceRunner runner(workload, {&engine}, Threads(2));
  SliceRequest request = Requests(4000);
  request.warmup_s = 0.01;
  const nlohmann::json result = runner.Run(request);
  EXPECT_GT(Number(result, "slice_requests"), 8000U);
  EXPECT_NEAR(static_cast<double>(Number(result, "commits")),
              static_cast<double>(Number(result, "slice_requests")) / 4, 2);
}

TEST(SliceRunner, CountsNodeByNodeAndInAllWhereThereAreSeveral) {
  FakeWorkload workload;
  NodeEngine first("a", 3, 1000);
  NodeEngine second("b", 5, 2000);
  SliceRunner both(workload, {&first, &second}, Threads(1));
  nlohmann::json slice = both.Run(Requests(10));
  EXPECT_EQ(slice["counters"], (nlohmann::json{{"syncs", 8}}));
  EXPECT_EQ(slice["data_bytes"], 3000);
  EXPECT_EQ(slice["node_engines"],
            nlohmann::json::parse(
                R"([{"counters": {"syncs": 3}, "data_bytes": 1000},
                    {"counters": {"syncs": 5}, "data_bytes": 2000}])"));
  SliceRunner one(workload, {&first}, Threads(1));
  slice = one.Run(Requests(10));
  EXPECT_EQ(slice["counters"], (nlohmann::json{{"syncs", 3}}));
  EXPECT_FALSE(slice.contains("node_engines"));
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
  SliceRunner runner(asking.workload, {&engine}, Threads(Crowd()));
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
  const nlohmann::json result = runner.Run(Requests(50));
  server.join();
  EXPECT_EQ(Number(result, "slice_requests"),
            50U * static_cast<unsigned>(Crowd()));
  EXPECT_EQ(asking.workload.ByThread(),
            std::vector<uint64_t>(static_cast<size_t>(Crowd()), 50));
}

// One that waits is not waited for: the others of its thread go on, and its own
// latency has all that they did meanwhile.
TEST(SliceRunner, TakesARequestersOwnTimeWhereTheyShareThreads) {
  Asking asking(Crowd());
  SocketEngine engine;
  SliceRunner runner(asking.workload, {&engine}, Threads(Crowd()));
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
  const nlohmann::json result = runner.Run(Requests(20));
  server.join();
  // Of any other requester, 18 requests began after and ended before that.
  const nlohmann::json& operations = result["operations"];
  EXPECT_GE(operations["EVEN"]["max_us"].get<double>(),
            18 * operations["ODD"]["min_us"].get<double>());
  EXPECT_EQ(operations["EVEN"]["count"], 20U);
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
  SliceRunner runner(workload, {&engine}, Threads(Crowd()));
  (void)runner.Run(Requests(10));
  EXPECT_EQ(threads.size(), static_cast<size_t>(Crowd()));
}

TEST(SliceRunner, KeepsAnOpenLoopsScheduleWhereRequestersShareThreads) {
  FakeWorkload workload;
  SocketEngine engine;
  RunFlags flags = Threads(Crowd());
  flags.rate = 2000;
  SliceRunner runner(workload, {&engine}, flags);
  SliceRequest request;
  request.measure_s = 0.5;
  const nlohmann::json result = runner.Run(request);
  // A Poisson process of mean 1000: five standard deviations.
  EXPECT_NEAR(static_cast<double>(Number(result, "requests")), 1000, 160);
}

}  // namespace
}  // namespace waltax
