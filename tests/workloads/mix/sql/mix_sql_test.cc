#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/driver/sql/server.h"
#include "tests/workloads/mix/drive.h"
#include "tests/workloads/mix/example.h"
#include "workloads/mix/store.h"

namespace waltax::mix {
namespace {

using Texts = std::vector<std::string>;

struct SqlMix {
  explicit SqlMix(std::string_view text) : mix(ReadWhole(text)) {
    uint64_t rows = 0;
    const Status status = store.Load(2, [](uint64_t) {}, &rows, nullptr);
    EXPECT_TRUE(status.ok()) << status.message();
  }
  void Sql(const std::string& sql) { mariadb::MustExecute(*connection, sql); }

  Mix mix;
  Values values{mix, 7};
  mariadb::SqlPlace place = {mariadb::TestServer("mix_test"),
                             mariadb::TestEngine()};
  std::unique_ptr<mariadb::Connection> connection =
      mariadb::Connect(place.server);
  std::unique_ptr<Store> opened = NewSqlStore(place, values);
  Store& store = *opened;
};

TEST(MixSqlStore, RunsTheExample) {
  SqlMix sql(kExample);
  ExpectTheExampleRuns(sql.values, sql.store);
}

TEST(MixSqlStore, FindsLostUpdatesTornTextsAndMissingRows) {
  SqlMix sql(kExample);
  const auto workload = Begin(sql.values, sql.store);
  Drive(*workload, 200);
  EXPECT_EQ(Violations(*workload), Texts{});
  sql.Sql("UPDATE products SET changes = changes - 1 WHERE id = 3");
  sql.Sql("UPDATE log SET line = REVERSE(line) WHERE id = " +
          std::string("CONCAT(UNHEX('0000000000000005'), '00000000')"));
  sql.Sql("DELETE FROM orders WHERE id = 7");
  const Texts violations = Violations(*workload);
  ASSERT_EQ(violations.size(), 3);
  EXPECT_EQ(violations[0], "log: row 5 line holds what was never written");
  EXPECT_EQ(violations[1], "orders: row 7 is missing");
  EXPECT_TRUE(violations[2].starts_with("products.changes: all rows"));
}

TEST(MixSqlStore, CountsRowsWhereSomeAreDeleted) {
  SqlMix sql(kDeletes);
  const auto workload = Begin(sql.values, sql.store);
  auto all = Drive(*workload, 300);
  EXPECT_EQ(all["cancel"].committed, all["cancel"].done);
  EXPECT_EQ(Violations(*workload), Texts{});
  sql.Sql("DELETE FROM orders WHERE id = 490");
  const Texts violations = Violations(*workload);
  ASSERT_EQ(violations.size(), 1);
  EXPECT_NE(violations[0].find("rows are there, and"), std::string::npos);
}

TEST(MixSqlStore, PutsAndSortsByAColumnWithoutAnIndex) {
  SqlMix sql(kLongRows);
  const auto workload = Begin(sql.values, sql.store);
  auto all = Drive(*workload, 60);
  EXPECT_EQ(all["o"].committed, all["o"].done);
  EXPECT_EQ(all["q"].committed, 0);
  EXPECT_GT(all["q"].rows, 2 * all["q"].done);
  EXPECT_EQ(Violations(*workload), Texts{});
  sql.Sql("DELETE FROM t LIMIT 1");
  EXPECT_EQ(Violations(*workload).size(), 1);
}

TEST(MixSqlStore, RunsYcsbsOperations) {
  SqlMix sql(kYcsb);
  for (int run = 0; run < 2; ++run) {
    const auto workload = Begin(sql.values, sql.store);
    auto all = Drive(*workload, 500);
    EXPECT_EQ(all["READ"].found, all["READ"].done);
    EXPECT_EQ(all["UPDATE"].found, all["UPDATE"].done);
    EXPECT_EQ(all["READ-MODIFY-WRITE"].found,
              2 * all["READ-MODIFY-WRITE"].done);
    EXPECT_NEAR(all["SCAN"].rows, 50.5 * all["SCAN"].done,
                20 * all["SCAN"].done);
    EXPECT_EQ(Violations(*workload), Texts{});
  }
  const auto workload = Begin(sql.values, sql.store);
  sql.Sql(
      "UPDATE usertable SET modified = modified + 1 WHERE id = "
      "'user6284781860667377211'");
  sql.Sql("DELETE FROM usertable WHERE id = 'user8517097267634966620'");
  const Texts violations = Violations(*workload);
  ASSERT_EQ(violations.size(), 2);
  EXPECT_EQ(violations[0], "usertable: row 1 is missing");
  EXPECT_TRUE(violations[1].starts_with("usertable.modified: all rows"));
}

TEST(MixSqlStore, SaysWhyASessionCannotConnect) {
  SqlMix sql(kExample);
  mariadb::SqlPlace nowhere = sql.place;
  nowhere.server.socket += ".none";
  const auto session = NewSqlStore(nowhere, sql.values)->NewSession(1);
  const Outcome reply = session->Execute({});
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find(nowhere.server.socket), std::string::npos);
}

}  // namespace
}  // namespace waltax::mix
