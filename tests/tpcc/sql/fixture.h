// A loaded TPC-C database on the server of these tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/sql/connection.h"
#include "driver/sql/load.h"
#include "tests/driver/sql/server.h"
#include "tests/tpcc/store_reading.h"
#include "tpcc/check/check.h"
#include "tpcc/population.h"
#include "tpcc/store.h"

namespace waltax::tpcc {

inline constexpr PopulationOptions kSqlPopulation = {2, 7, 1'700'000'000'000};

inline Status LoadInto(const mariadb::ServerFlags& flags,
                       PopulationOptions population) {
  population.low_water_marks = false;
  LoadedRows loaded;
  return mariadb::LoadTables({flags, mariadb::TestEngine()},
                             LoadOf(population, 2), true, &loaded);
}

// Drops what the database had.
inline mariadb::ServerFlags LoadedServer(const std::string& database,
                                         const PopulationOptions& population) {
  mariadb::ServerFlags flags = mariadb::TestServer(database);
  const Status status = LoadInto(flags, population);
  if (!status.ok()) throw std::runtime_error(status.message());
  return flags;
}

// Two warehouses that are loaded once: a test leaves them consistent, but not
// as they were.
class SqlTest : public ::testing::Test {
 protected:
  static constexpr int kRetries = 100;

  static const mariadb::ServerFlags& Flags() {
    if (!flags_) flags_ = LoadedServer("tpcc_sql", kSqlPopulation);
    return *flags_;
  }
  // The next test has them as they were loaded.
  static void Forget() { flags_.reset(); }
  // The sentences of the check, which takes a second.
  static std::vector<std::string> Violations() {
    const auto store = NewSqlStore(Flags(), kRetries);
    CheckResult result;
    const Status status = CheckConsistency(*store, 2, 2, {}, &result);
    EXPECT_TRUE(status.ok()) << status.message();
    return result.violations;
  }
  static void ExpectConsistent() {
    EXPECT_EQ(Violations(), std::vector<std::string>());
  }
  void Execute(const std::string& sql) {
    mariadb::MustExecute(*connection_, sql);
  }
  std::string Ask(const std::string& sql) {
    return mariadb::Ask(*connection_, sql);
  }

  std::unique_ptr<mariadb::Connection> connection_ = mariadb::Connect(Flags());
  std::unique_ptr<Store> store_ = NewSqlStore(Flags(), kRetries);

 private:
  inline static std::optional<mariadb::ServerFlags> flags_;
};

// Its tests run transactions: what all of them left is checked at their end.
class ConsistentSqlTest : public SqlTest {
 protected:
  static void TearDownTestSuite() { ExpectConsistent(); }
};

inline testing::AssertionResult Done(const Reply& reply) {
  if (reply.error == nullptr) return testing::AssertionSuccess();
  return testing::AssertionFailure() << *reply.error;
}

// Five lines of three each, from the home warehouse.
inline NewOrderInput SqlOrder(uint32_t w, uint8_t d, uint32_t c) {
  NewOrderInput input;
  input.w_id = w;
  input.d_id = d;
  input.c_id = c;
  input.ol_cnt = 5;
  for (uint32_t i = 0; i < input.ol_cnt; ++i) {
    input.lines[i] = {.i_id = 10 + i, .supply_w_id = w, .quantity = 3};
  }
  return input;
}

}  // namespace waltax::tpcc
