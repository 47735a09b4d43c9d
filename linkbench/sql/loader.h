// Fills an empty database of a server with a graph, on all cores.
#pragma once

#include <functional>
#include <string>

#include "driver/status.h"
#include "linkbench/data_set.h"
#include "linkbench/degrees.h"
#include "linkbench/graph_load.h"
#include "linkbench/options.h"
#include "linkbench/sql/schema.h"
#include "mariadb/connection.h"

namespace waltax::linkbench {

// Creates the tables and returns with all rows in them, everything out of
// memory and in tables, and, after that, the data set's record written. The
// rows are those of Load() with the same graph and options; each thread has its
// connection. Fails (usage) when the database is not empty. `report` is called
// about every second, from the calling thread. On failure the database is left
// without a record; it must be dropped.
Status LoadSql(const SqlPlace& place, const GraphOptions& graph,
               const OutDegrees& degrees, const LoadOptions& options,
               const std::function<void(const LoadProgress&)>& report,
               LoadProgress* loaded);

// As in kv/loader.h: make the data set whole, and fail on another one.
Status WriteSqlMeta(mariadb::Connection& connection, const SqlPlace& place,
                    const GraphOptions& graph, const DataSet& data_set);
Status VerifySqlMeta(mariadb::Connection& connection, const SqlPlace& place,
                     const GraphOptions& graph, const std::string& data_hash);

}  // namespace waltax::linkbench
