#include "workloads/ycsb/sql/statements.h"

#include <gtest/gtest.h>

namespace waltax::ycsb::sql {
namespace {

// Defect Y8: the original selects all columns even for one field.
TEST(Statements, ReadsTheColumnsThatAreWantedAlone) {
  const std::vector<std::string> columns = {"`field0`", "`field1`"};
  EXPECT_EQ(TextOf(kRead, kTable, columns, 1),
            "SELECT ycsb_counter, `field1` FROM usertable WHERE ycsb_key = ?");
  EXPECT_EQ(TextOf(kScan, kTable, columns, 0),
            "SELECT ycsb_key, `field0` FROM usertable WHERE ycsb_key >= ? "
            "ORDER BY ycsb_key LIMIT ?");
  EXPECT_EQ(TextOf(kRead, kTable, columns, std::nullopt),
            "SELECT ycsb_counter, `field0`, `field1` FROM usertable "
            "WHERE ycsb_key = ?");
}

TEST(Statements, WritesTheFieldsThatItIsToldAlone) {
  const std::vector<std::string> columns = {"`field0`", "`field1`"};
  EXPECT_EQ(TextOf(kUpdate, kTable, columns, 1),
            "UPDATE usertable SET `field1` = ? WHERE ycsb_key = ?");
  EXPECT_EQ(TextOf(kModify, kTable, columns, std::nullopt),
            "UPDATE usertable SET `field0` = ?, `field1` = ?, ycsb_counter = "
            "ycsb_counter + 1 WHERE ycsb_key = ?");
  EXPECT_EQ(TextOf(kInsert, kTableOfAllNodes, columns, std::nullopt),
            "INSERT INTO usertable_all (ycsb_key, `field0`, `field1`) "
            "VALUES (?, ?, ?)");
}

TEST(Statements, TakesAnyNameForAColumn) {
  DataOptions data;
  data.fieldcount = 1;
  data.fieldnameprefix = "a`b c";
  EXPECT_EQ(ColumnNames(data), std::vector<std::string>{"`a``b c0`"});
}

TEST(Table, IsThatOfTheOriginalsBindingWithACounter) {
  DataOptions data;
  data.fieldcount = 2;
  const std::vector<std::string> columns = ColumnNames(data);
  EXPECT_EQ(mariadb::NeededTables(TablesOf(data, columns)),
            "usertable: ycsb_key, ycsb_counter, `field0`, `field1`; "
            "PRIMARY KEY (ycsb_key)");
  EXPECT_EQ(TablesOf(data, columns)[0].columns[1].type.sql, "TEXT NOT NULL");
  data.fieldlength = 100'000;
  EXPECT_EQ(TablesOf(data, columns)[0].columns[1].type.sql,
            "MEDIUMTEXT NOT NULL");
}

}  // namespace
}  // namespace waltax::ycsb::sql
