// The statistics that the optimizer chooses indexes by.
#pragma once

#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"

namespace waltax::mariadb {

// Takes them anew for `tables` ("linktable, counttable") of the connection's
// database. Fails, too, when the server says of a table that it could not: it
// says so in a row of the result, and not by an error.
Status AnalyzeTables(Connection& connection, const std::string& tables);

}  // namespace waltax::mariadb
