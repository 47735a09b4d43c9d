#include "sqlops/sql/schema.h"

#include <fmt/format.h>

#include "mariadb/server_engine.h"
#include "mariadb/settle.h"

namespace waltax::sqlops {

Status CreateTable(mariadb::Connection& connection, const SqlPlace& place) {
  const char* family =
      place.engine == "myrocks" ? " COMMENT 'cfname=cf_student'" : "";
  const mariadb::SqlStatus status = connection.Execute(fmt::format(
      "CREATE TABLE student (s_id INT NOT NULL, s_name VARCHAR(50) NOT NULL, "
      "s_dob DATE NOT NULL, s_addr VARCHAR(200) NOT NULL, "
      "s_mobno INT NOT NULL, s_email VARCHAR(50) NOT NULL, "
      "s_sub1 INT NOT NULL, s_sub2 INT NOT NULL, s_sub3 INT NOT NULL, "
      "PRIMARY KEY (s_id){}) {} DEFAULT CHARSET=latin1 COLLATE=latin1_bin",
      family, mariadb::TableClause(place.engine)));
  if (status.ok()) return Status::Ok();
  return mariadb::Explained(status, "create the table in the " + place.Name());
}

Status Settle(mariadb::Connection& connection, const SqlPlace& place) {
  const Status status = mariadb::AnalyzeTables(connection, "student");
  if (!status.ok() || place.engine != "myrocks") return status;
  const mariadb::SqlStatus flushed =
      mariadb::FlushMemtables(connection, /*and_lzero=*/false);
  return flushed.ok()
             ? Status::Ok()
             : mariadb::Explained(
                   flushed, "write what is in memory of the " + place.Name());
}

}  // namespace waltax::sqlops
