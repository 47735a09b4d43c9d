#include "ycsb/sql/statements.h"

#include <gtest/gtest.h>

namespace waltax::ycsb::sql {
namespace {

// Defect Y8: the original selects all columns even for one field.
TEST(Statements, ReadsTheColumnsThatAreWantedAlone) {
  const Statements statements({"field0", "field1"});
  EXPECT_EQ(statements.Read(1),
            "SELECT ycsb_counter, `field1` FROM usertable WHERE ycsb_key = ?");
  EXPECT_EQ(statements.Scan(0),
            "SELECT ycsb_key, `field0` FROM usertable WHERE ycsb_key >= ? "
            "ORDER BY ycsb_key LIMIT ?");
  EXPECT_EQ(statements.Read(std::nullopt),
            "SELECT ycsb_counter, `field0`, `field1` FROM usertable "
            "WHERE ycsb_key = ?");
}

TEST(Statements, WritesTheFieldsThatItIsToldAlone) {
  const Statements statements({"field0", "field1"});
  EXPECT_EQ(statements.Update(1),
            "UPDATE usertable SET `field1` = ? WHERE ycsb_key = ?");
  EXPECT_EQ(statements.Modify(std::nullopt),
            "UPDATE usertable SET `field0` = ?, `field1` = ?, ycsb_counter = "
            "ycsb_counter + 1 WHERE ycsb_key = ?");
}

TEST(Statements, TakesAnyNameForAColumn) {
  EXPECT_EQ(Quoted("a`b c"), "`a``b c`");
}

}  // namespace
}  // namespace waltax::ycsb::sql
