#include "ycsb/sql/schema.h"

#include <fmt/format.h>

#include "mariadb/server_engine.h"
#include "ycsb/sql/statements.h"

namespace waltax::ycsb {

namespace {

constexpr uint64_t kMostOfText = 65'535;

}  // namespace

Status CreateTable(mariadb::Connection& connection, const SqlPlace& place,
                   const DataOptions& data) {
  const char* type = data.fieldlength > kMostOfText ? "MEDIUMTEXT" : "TEXT";
  std::string columns;
  for (const std::string& name : data.FieldNames()) {
    columns += fmt::format(", {} {} NOT NULL", sql::Quoted(name), type);
  }
  const char* family =
      place.engine == "myrocks" ? " COMMENT 'cfname=cf_usertable'" : "";
  // Binary, so that keys have the order of their bytes.
  const mariadb::SqlStatus status = connection.Execute(
      fmt::format("CREATE TABLE usertable (ycsb_key VARCHAR(255) NOT NULL, "
                  "ycsb_counter BIGINT UNSIGNED NOT NULL DEFAULT 0{}, "
                  "PRIMARY KEY (ycsb_key){}) {} DEFAULT CHARSET=latin1 "
                  "COLLATE=latin1_bin",
                  columns, family, mariadb::TableClause(place.engine)));
  if (status.ok()) return Status::Ok();
  return mariadb::Explained(status, "create the table in the " + place.Name());
}

}  // namespace waltax::ycsb
