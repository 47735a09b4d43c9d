// Fills an empty database of a server with a graph, on all cores.
#pragma once

#include <functional>
#include <string>

#include "driver/status.h"
#include "linkbench/degrees.h"
#include "linkbench/graph_load.h"
#include "linkbench/options.h"
#include "linkbench/sql/schema.h"
#include "mariadb/connection.h"

namespace waltax::linkbench {

// Creates the tables and returns with all rows in them, everything out of
// memory and in tables. The rows are those of Load() with the same graph and
// options; each thread has its connection. Fails (usage) when the database is
// not empty. `report` is called about every second, from the calling thread. On
// failure the database must be dropped.
Status LoadSql(const SqlPlace& place, const GraphOptions& graph,
               const OutDegrees& degrees, const LoadOptions& options,
               const std::function<void(const LoadProgress&)>& report,
               LoadProgress* loaded);

}  // namespace waltax::linkbench
