// What a load writes, and what a data set says of itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tpcc/kv/fixture.h"
#include "tests/tpcc/row_store.h"
#include "tests/tpcc/store_reading.h"
#include "tpcc/check/check.h"
#include "tpcc/data_set.h"
#include "tpcc/kv/store.h"

namespace waltax::tpcc {
namespace {

constexpr PopulationOptions kTwoWarehouses = {2, 7, 1'700'000'000'000};

TEST(Loader, WritesThePopulationWithAnyNumberOfThreads) {
  const RowStore population(kTwoWarehouses);
  for (const int threads : {1, 3}) {
    TemporaryDatabase database;
    const LoadedRows loaded = database.Load(kTwoWarehouses, threads);
    const KvStore store(database.engine(), 0);
    for (size_t i = 0; i < kTables; ++i) {
      const auto table = static_cast<Table>(i);
      EXPECT_EQ(loaded.rows[i], population.rows(table).size());
      const Rows rows = RowsOf(store, table);
      EXPECT_TRUE(Rows(population.rows(table).begin(),
                       population.rows(table).end()) == rows)
          << kTableNames[i];
    }
  }
}

TEST(Loader, LeavesADatabaseThatIsConsistent) {
  TemporaryDatabase database;
  database.Load(kTwoWarehouses);
  CheckResult result;
  ASSERT_TRUE(
      CheckConsistency(KvStore(database.engine(), 0), 2, 2, {}, &result).ok());
  EXPECT_TRUE(result.violations.empty()) << result.violations.front();
}

TEST(DataSet, RemembersWhatARunMustKnow) {
  TemporaryDatabase database;
  const LoadedRows loaded = database.Load(kTwoWarehouses);
  DataSet data_set;
  ASSERT_EQ(FromRecord(ToRecord(DescribeLoad(kTwoWarehouses, loaded.rows)),
                       &data_set),
            "");
  EXPECT_EQ(data_set.warehouses, 2U);
  EXPECT_EQ(data_set.seed, 7U);
  EXPECT_EQ(data_set.c_last, LastNameConstant(7));
  EXPECT_EQ(data_set.loaded_at_ms, kTwoWarehouses.loaded_at_ms);
  EXPECT_TRUE(std::equal(loaded.rows.begin(), loaded.rows.end(),
                         data_set.rows.begin(), data_set.rows.end()));
}

TEST(DataSet, IsRefusedWhenANumberOfItCannotBe) {
  DataSet data_set;
  data_set.warehouses = 2;
  const nlohmann::json whole = ToRecord(data_set);
  const std::vector<nlohmann::json> damages = {
      {{"warehouses", 0}},     {{"warehouses", -1}},
      {{"warehouses", "two"}}, {{"warehouses", 1.5}},
      {{"c_last", 256}},       {{"seed", nullptr}},
      {{"rows", 5}},           {{"rows", {{"stock", "x"}}}}};
  for (const nlohmann::json& damage : damages) {
    nlohmann::json record = whole;
    record.merge_patch(damage);
    EXPECT_NE(FromRecord(record, &data_set), "") << damage;
  }
  EXPECT_EQ(FromRecord(whole, &data_set), "");
}

TEST(LastNameConstant, IsAnyOfItsRangeBySeed) {
  bool low = false;
  bool high = false;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const uint32_t c = LastNameConstant(seed);
    ASSERT_LE(c, 255U);
    low = low || c == 0;
    high = high || c == 255;
  }
  EXPECT_TRUE(low && high);
}

}  // namespace
}  // namespace waltax::tpcc
