// The table of records on a server, as the original's JDBC binding has it.
#pragma once

#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "ycsb/options.h"

namespace waltax::ycsb {

// What a change of the schema must increase: older data sets are then refused.
inline constexpr int kSqlSchemaVersion = 1;

using mariadb::SqlPlace;

// Creates usertable: the key, the counter of read-modify-writes, the fields.
Status CreateTable(mariadb::Connection& connection, const SqlPlace& place,
                   const DataOptions& data);

}  // namespace waltax::ycsb
