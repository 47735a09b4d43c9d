// Fills an empty database of a server with the initial population: a connection
// a thread, a warehouse at a time on each.
#pragma once

#include <functional>
#include <string>

#include "driver/rocksdb/bulk_load.h"
#include "driver/status.h"
#include "mariadb/connection.h"
#include "tpcc/data_set.h"
#include "tpcc/population.h"

namespace waltax::tpcc {

// Creates the tables, and returns with all rows visible, the optimizer's
// statistics taken and the data set described. `report` is called about every
// second, from the calling thread. The rows are the same whatever `threads` is,
// and those of kv/loader.h's; `loaded` has no bytes of files. Fails (usage)
// with a database that has tables; after any other failure it has no
// description, and must be dropped.
Status LoadServer(const mariadb::ServerFlags& flags, const std::string& engine,
                  const PopulationOptions& options, int threads,
                  const std::function<void(const LoadedRows&)>& report,
                  LoadedRows* loaded);

// The description that a load left. Fails (usage) when it is missing, or of
// another workload, layout or engine.
Status ReadServerDataSet(mariadb::Connection& connection,
                         const std::string& engine, DataSet* data_set);

}  // namespace waltax::tpcc
