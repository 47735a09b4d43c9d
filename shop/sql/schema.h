// The tables of the shop on a server.
#pragma once

#include <string>

#include "driver/status.h"
#include "mariadb/connection.h"

namespace waltax::shop {

using mariadb::SqlPlace;

// Creates customers, products, and orders with their index by customer.
Status CreateTables(mariadb::Connection& connection, const SqlPlace& place);

}  // namespace waltax::shop
