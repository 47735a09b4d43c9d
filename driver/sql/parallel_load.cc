#include "driver/sql/parallel_load.h"

#include <memory>
#include <utility>

#include "driver/steps.h"

namespace waltax::mariadb {

Status RunParallelLoad(const ParallelLoad& load) {
  const auto connect = [&load](Step* step) {
    std::unique_ptr<Connection> opened;
    const Status status = Connection::Open(load.server, &opened);
    const std::shared_ptr<Connection> connection = std::move(opened);
    *step = [&load, connection](uint64_t number) {
      return load.load(number, *connection);
    };
    return status;
  };
  return RunSteps({load.threads, load.steps, connect, load.report});
}

}  // namespace waltax::mariadb
