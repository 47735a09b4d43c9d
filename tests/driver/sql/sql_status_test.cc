#include "driver/sql/sql_status.h"

#include <gtest/gtest.h>

namespace waltax::mariadb {
namespace {

TEST(SqlStatusConflicts, AreCountedUnderTheirCause) {
  Conflicts conflicts;
  EXPECT_TRUE(CountConflict({1205, "Lock wait timeout exceeded"}, &conflicts));
  EXPECT_TRUE(CountConflict({1213, "Deadlock found"}, &conflicts));
  EXPECT_TRUE(CountConflict({1213, "Deadlock found"}, &conflicts));
  EXPECT_TRUE(CountConflict(
      {1213, "Deadlock found when trying to get lock (snapshot conflict)"},
      &conflicts));
  EXPECT_TRUE(CountConflict({1020, "Record has changed"}, &conflicts));
  EXPECT_EQ(conflicts.total(), 5U);
}

TEST(SqlStatusConflicts, AreNothingElse) {
  Conflicts conflicts;
  EXPECT_FALSE(CountConflict({}, &conflicts));
  EXPECT_FALSE(CountConflict({1062, "Duplicate entry"}, &conflicts));
  EXPECT_FALSE(CountConflict({2013, "Lost connection"}, &conflicts));
  EXPECT_EQ(conflicts.total(), 0U);
}

TEST(SqlStatusFatal, IsWhatNoLaterStatementCanSurvive) {
  EXPECT_TRUE(IsFatal({2006, "gone away"}));
  EXPECT_TRUE(IsFatal({2013, "Lost connection"}));
  EXPECT_TRUE(IsFatal({1021, "Disk full"}));
  EXPECT_TRUE(IsFatal({1180, "Got error 204 during COMMIT"}));
  EXPECT_TRUE(IsFatal({1296,
                       "Got error 505 'IO error: No space left on "
                       "device' from ROCKSDB"}));
}

TEST(SqlStatusFatal, IsNoConflictAndNoMistakeOfAStatement) {
  EXPECT_FALSE(IsFatal({}));
  EXPECT_FALSE(IsFatal({1205, "Lock wait timeout exceeded"}));
  EXPECT_FALSE(IsFatal({1213, "Deadlock found"}));
  EXPECT_FALSE(IsFatal({1062, "Duplicate entry"}));
  EXPECT_FALSE(IsFatal({1296, "Got error 1 'Operation aborted'"}));
}

TEST(SqlStatusText, HasCodeAndMessage) {
  EXPECT_EQ(ToString({1205, "Lock wait timeout exceeded"}),
            "1205: Lock wait timeout exceeded");
}

}  // namespace
}  // namespace waltax::mariadb
