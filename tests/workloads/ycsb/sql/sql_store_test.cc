#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/workloads/ycsb/operations.h"
#include "tests/workloads/ycsb/sql/fixture.h"
#include "tests/workloads/ycsb/store_suite.h"
#include "workloads/ycsb/store.h"
#include "workloads/ycsb/workload.h"

namespace waltax::ycsb {
namespace {

std::unique_ptr<Store> OpenSql(const DataOptions& data,
                               std::shared_ptr<void>* keeper) {
  const auto database = std::make_shared<SqlDatabase>();
  database->CreateTable(data);
  *keeper = database;
  return NewSqlStore(database->place(), data, 100);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest,
                         testing::Values(StoreUnderTest{"sql", OpenSql}),
                         StoreName);

TEST_P(StoreTest, SaysThatAnUpdateToTheValuesThatAreThereIsNoCommit) {
  Insert("user1");
  EXPECT_TRUE(Update(*session_, "user1", One(1, "xxxxx")).changed);
  const Reply same = Update(*session_, "user1", One(1, "xxxxx"));
  EXPECT_TRUE(same.found);
  // MyRocks writes it all the same, and logs it.
  EXPECT_EQ(same.changed, mariadb::TestEngine() != "innodb");
}

class SqlLoaderTest : public testing::Test {
 protected:
  DataOptions Loaded(const std::function<void(DataOptions*)>& change) {
    Options options;
    options.data.recordcount = 20'000;
    change(&options.data);
    EXPECT_TRUE(Resolve(&options).ok());
    RecordsLoaded loaded;
    const Status status =
        NewSqlStore(database_.place(), options.data, 1)->Load({7, 2}, &loaded);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(loaded.records, options.data.insertcount);
    return options.data;
  }
  std::vector<std::string> Violations(const DataOptions& data) {
    CheckResult result;
    const auto store = NewSqlStore(database_.place(), data, 1);
    const Status status = CheckRecords(data, {}, 2, store.get(), &result);
    EXPECT_TRUE(status.ok()) << status.message();
    return result.violations;
  }

  SqlDatabase database_;
};

using Texts = std::vector<std::string>;

TEST_F(SqlLoaderTest, LoadsAllRecordsOnce) {
  const DataOptions data = Loaded([](DataOptions*) {});
  EXPECT_EQ(Violations(data), Texts{});
  database_.Execute(
      "DELETE FROM usertable WHERE ycsb_key = 'user6284781860667377211'");
  EXPECT_EQ(Violations(data),
            (Texts{"records: user6284781860667377211 is missing"}));
}

// Byte by byte: of random fields the check would miss what was escaped wrongly.
TEST_F(SqlLoaderTest, LoadsTheFieldsThatRocksdbGets) {
  const DataOptions data =
      Loaded([](DataOptions* options) { options->recordcount = 300; });
  const Population population(data, 7);
  const auto store = NewSqlStore(database_.place(), data, 1);
  const auto session = store->NewSession(1);
  Row row;
  population.WriteChunk(0, [&](std::string_view key, const Values& values) {
    EXPECT_TRUE(Read(*session, key, std::nullopt, &row).found) << key;
    EXPECT_EQ(row.fields, values.fields) << key;
    return true;
  });
}

TEST_F(SqlLoaderTest, LoadsLongFieldsWithNamesOfTheirOwn) {
  const DataOptions data = Loaded([](DataOptions* options) {
    options->recordcount = 5;
    options->fieldcount = 2;
    options->fieldlength = 100'000;
    options->fieldnameprefix = "of a key";
    options->dataintegrity = true;
  });
  EXPECT_EQ(Violations(data), Texts{});
}

}  // namespace
}  // namespace waltax::ycsb
