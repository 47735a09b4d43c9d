// The tables of a LinkBench graph on a server, as the original publishes them
// for the engine.
#pragma once

#include <cstdint>
#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"

namespace waltax::linkbench {

inline constexpr int kSqlSchemaVersion = 1;

using mariadb::SqlPlace;

// Creates linktable, counttable and nodetable, the first without its index
// id1_type. The first node that is added gets `first_new_node`.
Status CreateTables(mariadb::Connection& connection, const SqlPlace& place,
                    uint64_t first_new_node);

// Adds the index id1_type, from the rows that are there.
Status CreateLinkIndex(mariadb::Connection& connection, const SqlPlace& place);

}  // namespace waltax::linkbench
