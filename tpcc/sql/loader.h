// Fills an empty database of a server with the initial population: a connection
// a thread, a warehouse at a time on each.
#pragma once

#include <functional>
#include <string>

#include "driver/rocksdb/bulk_load.h"
#include "driver/status.h"
#include "mariadb/connection.h"
#include "tpcc/population.h"

namespace waltax::tpcc {

// Creates the tables, and returns with all rows visible, the optimizer's
// statistics taken. `report` is called about every second, from the calling
// thread. The rows are the same whatever `threads` is, and those of
// kv/loader.h's; `loaded` has no bytes of files. Fails (usage) with a database
// that has tables; after any other failure it must be dropped.
Status LoadServer(const mariadb::ServerFlags& flags, const std::string& engine,
                  const PopulationOptions& options, int threads,
                  const std::function<void(const LoadedRows&)>& report,
                  LoadedRows* loaded);

}  // namespace waltax::tpcc
