// When requests of an open loop are due.
#pragma once

#include <cmath>
#include <cstdint>

#include "driver/random.h"

namespace waltax {

// The arrivals of one thread: a Poisson process, so that the processes of all
// threads add up to one Poisson process of the whole rate. Latency counts from
// here, not from when a thread that fell behind got to it: otherwise a stall
// of the engine would be counted once instead of for every request it delayed.
class Arrivals {
 public:
  // `rate` is this thread's, requests per second. REQUIRES: rate > 0.
  Arrivals(double rate, const Random& random)
      : mean_gap_ns_(1e9 / rate), random_(random) {}

  // Starts the schedule anew; what was overdue is forgotten.
  void Restart(int64_t now_ns) { due_ns_ = static_cast<double>(now_ns); }

  // When the next request is due. Gaps are exponential, by inversion.
  int64_t NextNs() {
    due_ns_ -= mean_gap_ns_ * std::log1p(-random_.NextDouble());
    return static_cast<int64_t>(due_ns_);
  }

 private:
  double mean_gap_ns_;
  double due_ns_ = 0;
  Random random_;
};

}  // namespace waltax
