// What a database on a server says about itself: one row of a table of its own.
// A loader writes it last, so that a database without it is a load that did
// not finish (the twin of driver/data_set_record.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "driver/sql/connection.h"
#include "driver/status.h"

namespace waltax::mariadb {

// Fails (usage) when the connection's database has any table: that may be
// someone's data set.
Status WantEmptyDatabase(Connection& connection);

// Makes the data set whole: adds `workload` and `layout` to `record`. `engine`
// is "myrocks" or "innodb".
Status WriteDataSetRecord(Connection& connection, const std::string& engine,
                          const std::string& workload, int layout,
                          nlohmann::json record);

// Fails (usage) when it is missing, or of another workload or layout.
Status ReadDataSetRecord(Connection& connection, const std::string& workload,
                         int layout, nlohmann::json* record);

}  // namespace waltax::mariadb
