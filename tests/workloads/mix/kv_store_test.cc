#include <gtest/gtest.h>

#include "tests/workloads/mix/drive.h"
#include "tests/workloads/mix/example.h"
#include "tests/workloads/mix/kv_mix.h"

namespace waltax::mix {
namespace {

using Texts = std::vector<std::string>;

TEST(MixKvStore, RunsTheExample) {
  KvMix kv(ReadWhole(kExample));
  ExpectTheExampleRuns(kv.values, kv.store);
}

TEST(MixKvStore, CountsRowsWhereSomeAreDeleted) {
  KvMix kv(ReadWhole(kDeletes));
  const auto workload = Begin(kv.values, kv.store);
  auto all = Drive(*workload, 300);
  EXPECT_EQ(all["cancel"].committed, all["cancel"].done);
  EXPECT_EQ(Violations(*workload), Texts{});
  EXPECT_TRUE(kv.database.db()->Delete({}, kv.Of(2), kv.Key(2, 490)).ok());
  const Texts violations = Violations(*workload);
  ASSERT_EQ(violations.size(), 2);
  EXPECT_NE(violations[0].find("rows are there, and"), Texts::value_type::npos);
  EXPECT_TRUE(violations[1].starts_with("orders.by_customer: its "))
      << violations[1];
}

TEST(MixKvStore, EndsARunWithoutRowsToDeleteUnlessSomeAreInserted) {
  for (const bool inserted : {false, true}) {
    Mix mix = ReadWhole(kDeletes);
    mix.operations = {mix.operations.back()};
    mix.tables[2].inserted = inserted;
    KvMix kv(mix);
    const auto workload = Begin(kv.values, kv.store);
    Drive(*workload, 500);
    const auto worker = workload->NewWorker(0, 7);
    worker->Draw();
    const Outcome outcome = worker->Execute();
    EXPECT_EQ(outcome.not_found, inserted ? 1 : 0);
    if (inserted) continue;
    ASSERT_NE(outcome.error, nullptr);
    EXPECT_EQ(*outcome.error,
              "cancel: all rows of orders are deleted; give the file more "
              "rows, or a larger --scale");
  }
}

TEST(MixKvStore, FindsALostUpdate) {
  KvMix kv(ReadWhole(kExample));
  const auto workload = Begin(kv.values, kv.store);
  const std::string before = kv.Value(1, 0);
  const std::string entry_row = kv.Value(1, 1);
  Drive(*workload, 400);
  // As one finds it who read the row before all of its updates. What an index
  // says of it is then wrong, too.
  ASSERT_NE(kv.Value(1, 0), before);
  kv.Put(1, 0, before);
  const Texts violations = Violations(*workload);
  ASSERT_EQ(violations.size(), 3);
  EXPECT_EQ(violations[0],
            "products.by_stock: its 200 entries are not those of the 200 rows");
  EXPECT_TRUE(
      violations[1].starts_with("products.changes: all rows together had "))
      << violations[1];
  EXPECT_TRUE(violations[2].starts_with("products.stock: all rows"));
}

TEST(MixKvStore, FindsWhatIsMissingFromAnIndexAndWhatIsTooMuch) {
  KvMix kv(ReadWhole(kExample));
  std::string entry;
  Row row;
  kv.values.Make(2, 3, kLoaded, &row);
  kv.codec.EncodeEntry(2, 0, 3, row, &entry);
  EXPECT_TRUE(kv.database.db()->Delete({}, kv.Of(2, 0), entry).ok());
  row.cells[0].number += 1;
  kv.codec.EncodeEntry(2, 0, 4, row, &entry);
  EXPECT_TRUE(kv.database.db()->Put({}, kv.Of(2, 0), entry, "").ok());
  EXPECT_TRUE(kv.database.db()->Put({}, kv.Of(2, 0), "short", "").ok());
  EXPECT_EQ(Violations(kv.values, kv.store),
            Texts{"orders.by_customer: its 501 entries are not those of the "
                  "500 rows"});
}

TEST(MixKvStore, FindsATornTextAndANumberThatNobodyWrote) {
  KvMix kv(ReadWhole(kExample));
  std::string torn = kv.Value(3, 5);
  torn.back() ^= 1;
  kv.Put(3, 5, torn);
  std::string other = kv.Value(0, 6);
  Row row;
  kv.values.Make(0, 6, kLoaded, &row);
  other[2 + row.cells[0].text.size()] ^= 1;  // behind the name with its length
  kv.Put(0, 6, other);
  kv.Put(2, 7, "short");
  EXPECT_TRUE(kv.database.db()->Delete({}, kv.Of(3), kv.Key(3, 9)).ok());
  kv.Put(0, 12345, kv.Value(0, 1));
  EXPECT_EQ(
      Violations(kv.values, kv.store),
      (Texts{"customers: row 12345 was never written",
             "customers: row 6 credit holds what was never written",
             "customers.by_name: its 300 entries are not those of the 301 rows",
             "log: row 5 line holds what was never written",
             "log: row 9 is missing", "orders: one has bytes that are no row",
             "orders: row 7 is missing",
             "orders.by_customer: its 500 entries are not those of the 500 "
             "rows"}));
}

TEST(MixKvStore, FindsALostInsert) {
  KvMix kv(ReadWhole(kExample));
  const auto workload = Begin(kv.values, kv.store);
  Drive(*workload, 100);
  EXPECT_TRUE(kv.database.db()->Delete({}, kv.Of(3), kv.Key(3, 410)).ok());
  const Texts violations = Violations(*workload);
  ASSERT_EQ(violations.size(), 1);
  EXPECT_TRUE(violations[0].starts_with("log: ")) << violations[0];
  EXPECT_NE(violations[0].find("rows are there, and"), std::string::npos);
}

Mix Puts(Commit commit) {
  Mix mix = ReadWhole(kPuts);
  mix.operations[0].commit = commit;
  return mix;
}

TEST(MixKvStore, PutsRowsWithTheirEntriesAndMissesALostOne) {
  for (const Commit kind :
       {Commit::kEach, Commit::kPessimistic, Commit::kTwoPhase}) {
    KvMix kv(Puts(kind));
    const auto workload = Begin(kv.values, kv.store);
    EXPECT_EQ(Drive(*workload, 30)["o"].committed, 30)
        << static_cast<int>(kind);
    EXPECT_EQ(Violations(*workload), Texts{}) << static_cast<int>(kind);
    const std::string all = kv.Value(0, 3);
    EXPECT_EQ(all.size(), 108);
    EXPECT_TRUE(kv.database.db()->Delete({}, kv.Of(0), kv.Key(0, 3)).ok());
    const Texts violations = Violations(*workload);
    ASSERT_EQ(violations.size(), 2) << static_cast<int>(kind);
    EXPECT_EQ(violations[0],
              "t: row 3 is missing, though its write was acknowledged");
  }
}

TEST(MixKvStore, WhatWasPreparedAndNotCommittedIsRolledBack) {
  KvMix kv(Puts(Commit::kTwoPhase));
  {
    const std::unique_ptr<rocksdb::Transaction> transaction(
        kv.database.db()->BeginTransaction({}));
    ASSERT_TRUE(transaction->Put(kv.Of(0), kv.Key(0, 1), "x").ok());
    ASSERT_TRUE(transaction->SetName("waltax-1").ok());
    ASSERT_TRUE(transaction->Prepare().ok());
  }
  kv.database.Close();
  kv.database.Open();
  EXPECT_NE(kv.database.db()->GetTransactionByName("waltax-1"), nullptr);
  const auto store = NewKvStore(kv.database.engine(), kv.values);
  ASSERT_TRUE(store->Recover().ok());
  const auto workload = Begin(kv.values, *store);
  EXPECT_EQ(Drive(*workload, 10)["o"].committed, 10);
}

TEST(MixWorkload, DrawsOperationsByTheirWeights) {
  KvMix kv(ReadWhole(kExample));
  const auto workload = Begin(kv.values, kv.store);
  auto all = Drive(*workload, 1000);
  double before = 0;
  for (const Operation& each : kv.mix.operations) {
    EXPECT_NEAR(all[each.name].done / 1000., each.up_to - before, .06)
        << each.name;
    before = each.up_to;
  }
}

}  // namespace
}  // namespace waltax::mix
