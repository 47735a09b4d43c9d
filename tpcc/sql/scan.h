// Rows of a server as the rows of Store::Scan: so one check is for all stores.
#pragma once

#include <string>
#include <string_view>

#include "driver/status.h"
#include "mariadb/connection.h"
#include "tpcc/schema.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

// Shows every row of `table` whose key begins with `prefix`, in the order of
// their keys, encoded as keys.h and row_codec.h say. An index is read for
// itself, never by way of its table.
Status ScanTable(mariadb::Connection& connection, Table table,
                 std::string_view prefix, RowVisitor* visitor);

// The query of such a scan.
std::string ScanStatement(Table table, std::string_view prefix);

}  // namespace waltax::tpcc
