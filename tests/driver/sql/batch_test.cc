#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

class BatchTest : public ServerTest {
 protected:
  BatchTest() {
    CreateTable("t", "id BIGINT UNSIGNED PRIMARY KEY, n INT, text LONGBLOB");
  }
  std::unique_ptr<Statement> Insert() {
    return std::make_unique<Statement>(connection_.get(),
                                       "INSERT INTO t VALUES (?, ?, ?)");
  }
  std::string Asked(std::string_view sql) { return Ask(*connection_, sql); }
};

TEST_F(BatchTest, InsertsAllItsSetsInOneRoundTrip) {
  const auto insert = Insert();
  const std::string questions =
      "SELECT variable_value FROM information_schema.session_status WHERE "
      "variable_name = 'Questions'";
  const int before = std::stoi(Asked(questions));
  for (int i = 0; i < 1000; ++i) {
    insert->AddToBatch(static_cast<uint64_t>(i), i, std::to_string(i));
  }
  const SqlStatus status = insert->ExecuteBatch();
  ASSERT_TRUE(status.ok()) << ToString(status);
  EXPECT_EQ(insert->affected_rows(), 1000U);
  EXPECT_LE(std::stoi(Asked(questions)) - before, 2);
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t WHERE id = n AND n = text"), "1000");
}

TEST_F(BatchTest, CarriesEveryByte) {
  const auto insert = Insert();
  insert->AddToBatch(1, -1, "");
  insert->AddToBatch(2, 2, EveryByte());
  const SqlStatus status = insert->ExecuteBatch();
  ASSERT_TRUE(status.ok()) << ToString(status);
  EXPECT_EQ(Asked("SELECT GROUP_CONCAT(n ORDER BY id) FROM t"), "-1,2");
  EXPECT_EQ(Asked("SELECT text FROM t WHERE id = 2"), EveryByte());
  EXPECT_EQ(Asked("SELECT text = '' FROM t WHERE id = 1"), "1");
}

TEST_F(BatchTest, IsForgottenOnceExecutedAndNothingWhenEmpty) {
  const auto insert = Insert();
  EXPECT_TRUE(insert->ExecuteBatch().ok());
  insert->AddToBatch(1, 1, "a");
  ASSERT_TRUE(insert->ExecuteBatch().ok());
  EXPECT_TRUE(insert->ExecuteBatch().ok());
  insert->AddToBatch(2, 2, "b");
  ASSERT_TRUE(insert->ExecuteBatch().ok());
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t"), "2");
}

TEST_F(BatchTest, TakesTurnsWithSingleExecutions) {
  const auto insert = Insert();
  ASSERT_TRUE(insert->Run(1, 1, "a").ok());
  insert->AddToBatch(2, 2, "b");
  insert->AddToBatch(3, 3, "c");
  ASSERT_TRUE(insert->ExecuteBatch().ok());
  ASSERT_TRUE(insert->Run(4, 4, "d").ok());
  EXPECT_EQ(Asked("SELECT GROUP_CONCAT(text ORDER BY id) FROM t"), "a,b,c,d");
}

TEST_F(BatchTest, UpdatesAndDeletes) {
  const auto insert = Insert();
  for (int i = 1; i <= 5; ++i) insert->AddToBatch(i, 0, "");
  ASSERT_TRUE(insert->ExecuteBatch().ok());
  const auto update = std::make_unique<Statement>(
      connection_.get(), "UPDATE t SET n = n + ? WHERE id = ?");
  for (int i = 1; i <= 4; ++i) update->AddToBatch(i, i);
  SqlStatus status = update->ExecuteBatch();
  ASSERT_TRUE(status.ok()) << ToString(status);
  EXPECT_EQ(update->affected_rows(), 4U);
  EXPECT_EQ(update->matched_rows(), 4U);
  EXPECT_EQ(Asked("SELECT SUM(n) FROM t"), "10");
  const auto remove = std::make_unique<Statement>(connection_.get(),
                                                  "DELETE FROM t WHERE id = ?");
  for (int i = 3; i <= 7; ++i) remove->AddToBatch(i);
  status = remove->ExecuteBatch();
  ASSERT_TRUE(status.ok()) << ToString(status);
  EXPECT_EQ(remove->affected_rows(), 3U);
}

TEST_F(BatchTest, FailsWithTheServersWordsAndIsForgotten) {
  const auto insert = Insert();
  ASSERT_TRUE(insert->Run(2, 0, "").ok());
  for (int i = 1; i <= 3; ++i) insert->AddToBatch(i, 0, "");
  EXPECT_EQ(insert->ExecuteBatch().code, 1062U);
  insert->AddToBatch(9, 0, "");
  EXPECT_TRUE(insert->ExecuteBatch().ok());
  EXPECT_EQ(Asked("SELECT COUNT(*) FROM t WHERE id = 9"), "1");
}

}  // namespace
}  // namespace waltax::mariadb
