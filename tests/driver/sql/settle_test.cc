#include "driver/sql/settle.h"

#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

TEST_F(ServerTest, AnalyzesTables) {
  CreateTable("one", "id INT PRIMARY KEY");
  CreateTable("two", "id INT PRIMARY KEY");
  const Status status = AnalyzeTables(*connection_, "one, two");
  EXPECT_TRUE(status.ok()) << status.message();
}

TEST_F(ServerTest, NamesATableThatTheServerCouldNotAnalyze) {
  CreateTable("one", "id INT PRIMARY KEY");
  const Status status = AnalyzeTables(*connection_, "one, missing");
  EXPECT_EQ(status.exit_code(), 1);
  EXPECT_NE(status.message().find("cannot analyze"), std::string::npos);
  EXPECT_NE(status.message().find("unit.missing"), std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace waltax::mariadb
