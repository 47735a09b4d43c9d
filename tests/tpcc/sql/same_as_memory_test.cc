// The server's tables and the memory store are written apart from each other:
// what both make of the same transactions is what clause 2 says, or they share
// a misreading.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tpcc/row_store.h"
#include "tests/tpcc/same_transactions.h"
#include "tests/tpcc/sql/fixture.h"
#include "tpcc/keys.h"
#include "tpcc/memory/store.h"

namespace waltax::tpcc {
namespace {

constexpr int kTransactions = 1'500;

// What no table of a server has.
void DropLowWaterMarks(std::vector<Rows>* tables) {
  Rows& new_orders = (*tables)[static_cast<size_t>(Table::kNewOrder)];
  std::erase_if(new_orders,
                [](const auto& row) { return NumberOf(row.first) == 0; });
}

class SameAsMemory : public ::testing::Test {
 protected:
  void ExpectEqualContent() {
    const std::vector<Rows> a = TimelessContent(sql_);
    std::vector<Rows> b = TimelessContent(memory_);
    DropLowWaterMarks(&b);
    for (size_t i = 0; i < kTables; ++i) {
      EXPECT_TRUE(a[i] == b[i]) << kTableNames[i];
    }
  }

  SqlStore sql_{LoadedServer("tpcc_same", kSqlPopulation), 0};
  MemoryStore memory_{kSqlPopulation, 2};
};

TEST_F(SameAsMemory, BeforeAndAfterTheSameTransactions) {
  ExpectEqualContent();
  const auto sql = sql_.NewSession(1);
  const auto memory = memory_.NewSession(1);
  Both both(sql.get(), memory.get());
  Terminal at_one(0, {1, 1}, 2, {66, 77, 88}, 1);
  Terminal at_two(1, {2, 5}, 2, {66, 77, 88}, 1);
  Inputs inputs;
  for (int i = 0; i < kTransactions && !HasFailure(); ++i) {
    (i % 2 == 0 ? at_one : at_two).Draw(&inputs);
    both.Execute(inputs);
  }
  EXPECT_GT(both.rollbacks(), 0);
  ExpectEqualContent();
}

TEST(SqlLoader, WritesTheRowsOfThePopulation) {
  constexpr PopulationOptions kOne = {1, 3, 1'700'000'000'123};
  const mariadb::ServerFlags flags = LoadedServer("tpcc_rows", kOne);
  const auto connection = mariadb::Connect(flags);
  DataSet data_set;
  const Status status =
      ReadServerDataSet(*connection, mariadb::TestEngine(), &data_set);
  ASSERT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(data_set.warehouses, 1U);
  EXPECT_EQ(data_set.c_last, LastNameConstant(3));
  EXPECT_EQ(ReadServerDataSet(*connection, "other", &data_set).exit_code(), 2);
  const SqlStore store(flags, 0);
  const RowStore population(kOne);
  for (size_t i = 0; i < kTables; ++i) {
    const auto table = static_cast<Table>(i);
    const auto& want = population.rows(table);
    std::vector<Rows> tables(kTables);
    tables[i] = Rows(want.begin(), want.end());
    DropLowWaterMarks(&tables);
    EXPECT_TRUE(RowsOf(store, table) == tables[i]) << kTableNames[i];
  }
}

TEST(SqlLoader, RefusesADatabaseThatHasADataSet) {
  const mariadb::ServerFlags flags = mariadb::TestServer("tpcc_refused");
  const auto connection = mariadb::Connect(flags);
  DataSet data_set;
  EXPECT_EQ(ReadServerDataSet(*connection, mariadb::TestEngine(), &data_set)
                .exit_code(),
            2);
  mariadb::MustExecute(*connection, "CREATE TABLE mine (id INT PRIMARY KEY)");
  LoadedRows loaded;
  const Status status = LoadServer(
      flags, mariadb::TestEngine(), kSqlPopulation, 1, [](const LoadedRows&) {},
      &loaded);
  EXPECT_EQ(status.exit_code(), 2) << status.message();
}

}  // namespace
}  // namespace waltax::tpcc
