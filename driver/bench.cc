// What the driver itself costs per request, in nanoseconds of wall time on one
// thread: one JSON object on stdout. Run it on an idle machine.
#include <fmt/format.h>

#include <cstdio>
#include <limits>
#include <vector>

#include "driver/clock.h"
#include "driver/latency.h"
#include "driver/random.h"
#include "driver/recorder.h"
#include "driver/slice_loop.h"

namespace waltax {
namespace {

constexpr int kRounds = 20'000'000;

// The smallest of some repetitions: what else ran here can only add.
template <typename Function>
double NsPerRound(Function function) {
  double best = std::numeric_limits<double>::max();
  for (int repetition = 0; repetition < 5; ++repetition) {
    const int64_t start_ns = MonotonicNs();
    function();
    best = std::min(best, static_cast<double>(MonotonicNs() - start_ns));
  }
  return best / kRounds;
}

class Idle : public Worker {
 public:
  void Draw() override {}
  Outcome Execute() override { return {}; }
};

double LoopNs() {
  const TickClock clock;
  Idle worker;
  Recorder recorder(10, std::nullopt);
  FailureLimit failures(0);
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  return NsPerRound([&] {
    recorder.Clear(false);
    recorder.SetWindow({0, kNever});
    RunLoop(clock, {kNever, kRounds}, worker, nullptr, failures, recorder);
  });
}

double RecordNs() {
  Random random(1);
  std::vector<uint64_t> values(4096);
  for (auto& value : values) value = 1000 + random.NextInt(200'000);
  Histogram histogram;
  return NsPerRound([&] {
    for (int i = 0; i < kRounds; ++i) histogram.Record(values[i & 4095]);
  });
}

double ClockNs() {
  const TickClock clock;
  volatile int64_t last = 0;
  return NsPerRound([&] {
    for (int i = 0; i < kRounds; ++i) last = clock.NowNs();
  });
}

double KernelClockNs() {
  volatile int64_t last = 0;
  return NsPerRound([&] {
    for (int i = 0; i < kRounds; ++i) last = MonotonicNs();
  });
}

double RandomNs() {
  Random random(1);
  volatile uint64_t last = 0;
  return NsPerRound([&] {
    for (int i = 0; i < kRounds; ++i) last = random.NextInt(1'000'000);
  });
}

}  // namespace
}  // namespace waltax

int main() {
  fmt::print(
      "{{\"loop_ns\":{:.1f},\"record_ns\":{:.1f},\"clock_ns\":{:.1f},"
      "\"kernel_clock_ns\":{:.1f},\"random_ns\":{:.1f}}}\n",
      waltax::LoopNs(), waltax::RecordNs(), waltax::ClockNs(),
      waltax::KernelClockNs(), waltax::RandomNs());
}
