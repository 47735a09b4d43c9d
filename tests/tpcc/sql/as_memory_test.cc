// The server's tables and the memory store are written apart from each other:
// what both make of the same transactions is what clause 2 says, or they share
// a misreading.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/tpcc/memory/store.h"
#include "tests/tpcc/same_transactions.h"
#include "tests/tpcc/sql/fixture.h"
#include "tpcc/keys.h"
#include "tpcc/tables.h"

namespace waltax::tpcc {
namespace {

constexpr int kTransactions = 1'500;

// What no table of a server has.
void DropLowWaterMarks(std::vector<Rows>* tables) {
  Rows& new_orders = (*tables)[static_cast<size_t>(Table::kNewOrder)];
  std::erase_if(new_orders,
                [](const auto& row) { return NumberOf(row.first) == 0; });
}

// The first of the program's suites, as its file's name is the first: so the
// load is the only one.
class AsMemory : public SqlTest {
 protected:
  static void SetUpTestSuite() {
    Forget();
    memory_ = std::make_unique<MemoryStore>(kSqlPopulation, 2);
  }
  static void TearDownTestSuite() { memory_.reset(); }
  // Each by its `read`: of all rows of a store.
  template <typename Read>
  void ExpectEqualContent(Read read) {
    const std::vector<Rows> a = read(*sql_);
    std::vector<Rows> b = read(*memory_);
    DropLowWaterMarks(&b);
    for (size_t i = 0; i < kTables; ++i) {
      EXPECT_TRUE(a[i] == b[i]) << Tables()[i].name;
    }
  }

  std::unique_ptr<Store> sql_ = NewSqlStore(Flags(), 0);
  // A test leaves it as it leaves the database.
  inline static std::unique_ptr<MemoryStore> memory_;
};

// The memory store has the rows of the population, and RocksDB has, too: see
// two_stores_test.cc.
TEST_F(AsMemory, LoadsTheSameRows) { ExpectEqualContent(ContentOf); }

TEST_F(AsMemory, KeepsTheSameAfterTheSameTransactions) {
  const auto sql = sql_->NewSession(1);
  const auto memory = memory_->NewSession(1);
  Both both(sql.get(), memory.get());
  Terminal at_one(0, {1, 1}, 2, {66, 77, 88}, 1);
  Terminal at_two(1, {2, 5}, 2, {66, 77, 88}, 1);
  Inputs inputs;
  for (int i = 0; i < kTransactions && !HasFailure(); ++i) {
    (i % 2 == 0 ? at_one : at_two).Draw(&inputs);
    both.Execute(inputs);
  }
  EXPECT_GT(both.rollbacks(), 0);
  ExpectEqualContent(TimelessContent);
}

TEST(SqlLoader, RefusesADatabaseThatHasATable) {
  const mariadb::ServerFlags flags = mariadb::TestServer("tpcc_refused");
  const auto connection = mariadb::Connect(flags);
  mariadb::MustExecute(*connection, "CREATE TABLE mine (id INT PRIMARY KEY)");
  const Status status = LoadInto(flags, kSqlPopulation);
  EXPECT_EQ(status.exit_code(), 2) << status.message();
}

}  // namespace
}  // namespace waltax::tpcc
