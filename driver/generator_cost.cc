#include "driver/generator_cost.h"

#include <limits>
#include <memory>
#include <utility>

#include "driver/clock.h"
#include "driver/recorder.h"
#include "driver/slice_loop.h"

namespace waltax {
namespace {

constexpr int64_t kMeasureNs = 30'000'000;

class DrawOnly : public Worker {
 public:
  explicit DrawOnly(std::unique_ptr<Worker> inner) : inner_(std::move(inner)) {}
  void Draw() override { inner_->Draw(); }
  Outcome Execute() override { return {}; }

 private:
  std::unique_ptr<Worker> inner_;
};

}  // namespace

double GeneratorCpuUsPerOp(Workload& workload, uint64_t seed) {
  DrawOnly worker(workload.NewWorker(0, seed));
  const TickClock clock;
  Recorder recorder(workload.OperationNames().size(), std::nullopt);
  FailureLimit no_failures(-1);
  const int64_t start_ns = clock.NowNs();
  recorder.SetWindow({start_ns, std::numeric_limits<int64_t>::max()});
  const int64_t cpu_before_ns = ThreadCpuNs();
  RunLoop(clock, {start_ns + kMeasureNs, 0}, worker, nullptr, no_failures,
          recorder);
  const auto cpu_ns = static_cast<double>(ThreadCpuNs() - cpu_before_ns);
  return cpu_ns / 1e3 / static_cast<double>(recorder.Executed());
}

}  // namespace waltax
