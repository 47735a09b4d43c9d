#include "sqlops/sql/schema.h"

#include <fmt/format.h>

#include "mariadb/server_engine.h"
#include "sqlops/student.h"

namespace waltax::sqlops {

namespace {

using mariadb::SqlStatus;

constexpr char kForeignKeys[] =
    ", FOREIGN KEY (s_sub1) REFERENCES course (c_no)"
    ", FOREIGN KEY (s_sub2) REFERENCES course (c_no)"
    ", FOREIGN KEY (s_sub3) REFERENCES course (c_no)";

// Table course, with a row for each number that a student may have.
SqlStatus CreateCourses(mariadb::Connection& connection,
                        const std::string& engine) {
  SqlStatus status = connection.Execute(
      fmt::format("CREATE TABLE course (c_no INT NOT NULL PRIMARY KEY, "
                  "c_name VARCHAR(50) NOT NULL, c_credit INT NOT NULL) {} "
                  "DEFAULT CHARSET=latin1 COLLATE=latin1_bin",
                  mariadb::TableClause(engine)));
  if (!status.ok()) return status;
  std::string rows;
  for (uint64_t number = 1; number <= kCourses; ++number) {
    rows += fmt::format("{}({}, 'course {}', {})", rows.empty() ? "" : ", ",
                        number, number, 1 + number % 4);
  }
  return connection.Execute("INSERT INTO course VALUES " + rows);
}

}  // namespace

Status CreateTables(mariadb::Connection& connection, const SqlPlace& place,
                    bool foreign_keys) {
  const bool myrocks = place.engine == "myrocks";
  if (foreign_keys && myrocks) {
    return Status::Usage(
        "--foreign-keys: found with MyRocks, which has none; leave it out");
  }
  const char* family = myrocks ? " COMMENT 'cfname=cf_student'" : "";
  SqlStatus status;
  if (foreign_keys) status = CreateCourses(connection, place.engine);
  if (!status.ok()) {
    return mariadb::Explained(status, "create courses in the " + place.Name());
  }
  status = connection.Execute(fmt::format(
      "CREATE TABLE student (s_id INT NOT NULL, s_name VARCHAR(50) NOT NULL, "
      "s_dob DATE NOT NULL, s_addr VARCHAR(200) NOT NULL, "
      "s_mobno INT NOT NULL, s_email VARCHAR(50) NOT NULL, "
      "s_sub1 INT NOT NULL, s_sub2 INT NOT NULL, s_sub3 INT NOT NULL, "
      "PRIMARY KEY (s_id){}{}) {} DEFAULT CHARSET=latin1 COLLATE=latin1_bin",
      family, foreign_keys ? kForeignKeys : "",
      mariadb::TableClause(place.engine)));
  if (status.ok()) return Status::Ok();
  return mariadb::Explained(status, "create the table in the " + place.Name());
}

}  // namespace waltax::sqlops
