// Fills a database from several threads, each on a connection of its own.
#pragma once

#include <cstdint>
#include <functional>

#include "driver/sql/connection.h"
#include "driver/status.h"

namespace waltax::mariadb {

struct ParallelLoad {
  ServerFlags server;
  int threads = 1;
  uint64_t steps = 0;
  // Does one of the steps 0, 1, ...; called on any thread, in about this order.
  std::function<Status(uint64_t step, Connection& connection)> load;
  // Called about every second on the calling thread.
  std::function<void()> report;
};

// Returns when all steps are done, or the first failure once every thread ended
// the step it was in.
Status RunParallelLoad(const ParallelLoad& load);

}  // namespace waltax::mariadb
