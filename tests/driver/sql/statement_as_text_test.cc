#include <gtest/gtest.h>

#include <string>

#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

using StatementAsText = ServerTest;

TEST_F(StatementAsText, ReadsTheRowsOfItsValues) {
  CreateTable("t", "id BIGINT UNSIGNED PRIMARY KEY, text VARBINARY(300)");
  MustExecute(*connection_,
              "INSERT INTO t VALUES (1, 'a'), (18446744073709551615, NULL)");
  const auto read = std::make_unique<Statement>(
      connection_.get(), "SELECT id, text FROM t WHERE id = ?",
      Statement::Sent::kAsText);
  SqlStatus status = read->Run(uint64_t{1});
  ASSERT_TRUE(read->Next(&status)) << ToString(status);
  EXPECT_EQ(read->Unsigned(0), 1U);
  EXPECT_EQ(read->Text(1), "a");
  EXPECT_FALSE(read->Next(&status));
  status = read->Run(UINT64_MAX);
  ASSERT_TRUE(read->Next(&status)) << ToString(status);
  EXPECT_EQ(read->Unsigned(0), UINT64_MAX);
  EXPECT_EQ(read->Text(1), "");
  EXPECT_FALSE(read->Next(&status));
  EXPECT_TRUE(status.ok());
}

TEST_F(StatementAsText, TakesEveryByteOfATextForItself) {
  CreateTable("t", "text VARBINARY(300)");
  const std::string bytes = EveryByte() + "' OR 1 = 1 -- ";
  std::make_unique<Statement>(connection_.get(), "INSERT INTO t VALUES (?)")
      ->Run(bytes);
  const auto read = std::make_unique<Statement>(
      connection_.get(), "SELECT text FROM t WHERE text = ?",
      Statement::Sent::kAsText);
  SqlStatus status = read->Run(bytes);
  ASSERT_TRUE(read->Next(&status)) << ToString(status);
  EXPECT_EQ(read->Text(0), bytes);
  EXPECT_FALSE(read->Next(&status));
  status = read->Run(std::string("' OR 1 = 1 -- "));
  EXPECT_FALSE(read->Next(&status));
  EXPECT_TRUE(status.ok()) << ToString(status);
  status = read->Run(std::string());
  EXPECT_FALSE(read->Next(&status));
  EXPECT_TRUE(status.ok()) << ToString(status);
}

TEST_F(StatementAsText, DropsRowsThatNobodyReadWhenAnotherStatementBegins) {
  const auto read = std::make_unique<Statement>(
      connection_.get(), "SELECT seq FROM seq_1_to_10000",
      Statement::Sent::kAsText);
  const auto other = std::make_unique<Statement>(connection_.get(), "SELECT 7");
  SqlStatus status = read->Run();
  ASSERT_TRUE(read->Next(&status));
  ASSERT_TRUE(other->Run().ok());
  ASSERT_TRUE(other->Next(&status));
  EXPECT_EQ(other->Unsigned(0), 7U);
  EXPECT_FALSE(read->Next(&status));
  const auto another = std::make_unique<Statement>(
      connection_.get(), "SELECT 8", Statement::Sent::kAsText);
  ASSERT_TRUE(read->Run().ok());
  status = another->Run();
  EXPECT_FALSE(read->Next(&status));
  ASSERT_TRUE(another->Next(&status));
  EXPECT_EQ(another->Unsigned(0), 8U);
  EXPECT_TRUE(connection_->Execute("DO 1").ok());
}

TEST_F(StatementAsText, RefusesAnotherNumberOfValues) {
  const auto read = std::make_unique<Statement>(connection_.get(), "SELECT ?",
                                                Statement::Sent::kAsText);
  EXPECT_FALSE(read->Run().ok());
  EXPECT_FALSE(read->Run(1U, 2U).ok());
  EXPECT_TRUE(read->Run(1U).ok());
}

TEST_F(StatementAsText, TellsTheServersErrors) {
  const auto read = std::make_unique<Statement>(
      connection_.get(), "SELECT * FROM nowhere WHERE id = ?",
      Statement::Sent::kAsText);
  SqlStatus status = read->Run(1U);
  EXPECT_EQ(status.code, 1146U);
  EXPECT_FALSE(read->Next(&status));
}

}  // namespace
}  // namespace waltax::mariadb
