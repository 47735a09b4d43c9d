// The table of students on a server.
#pragma once

#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "sqlops/options.h"

namespace waltax::sqlops {

// What a change of the schema or of what students hold must increase: older
// data sets are then refused.
inline constexpr int kSchemaVersion = 2;

using mariadb::SqlPlace;

// Creates table student, with a primary key and no other, as the study has it.
// With foreign keys, also the courses that they refer to, all of them, and the
// index of each key that InnoDB asks for. Fails (usage) on MyRocks, which has
// no foreign keys.
Status CreateTables(mariadb::Connection& connection, const SqlPlace& place,
                    bool foreign_keys);

}  // namespace waltax::sqlops
