// YCSB's table and operations as a mix, on RocksDB.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/workloads/mix/drive.h"
#include "tests/workloads/mix/example.h"
#include "tests/workloads/mix/kv_mix.h"

namespace waltax::mix {
namespace {

using Texts = std::vector<std::string>;

struct Ycsb : KvMix {
  Ycsb() : KvMix(ReadWhole(kYcsb)) {}
};

Mix WithKey(bool fnv, int digits) {
  Mix mix = ReadWhole(kYcsb);
  mix.tables[0].key.fnv = fnv;
  mix.tables[0].key.digits = digits;
  return mix;
}

std::string TextKey(const Mix& mix, uint64_t row) {
  std::string key;
  Values(mix, 7).AppendTextKey(0, row, &key);
  return key;
}

TEST(YcsbMix, KeysAreTheWordUserAndAHashOrTheNumberPaddedWithZeros) {
  EXPECT_EQ(TextKey(WithKey(true, 1), 0), "user6284781860667377211");
  EXPECT_EQ(TextKey(WithKey(false, 8), 0), "user00000000");
  EXPECT_EQ(TextKey(WithKey(false, 1), 1234), "user1234");
  EXPECT_EQ(TextKey(WithKey(true, 25), 0), "user0000006284781860667377211");
}

TEST(YcsbMix, AKeyTellsItsRowAlsoOneThatWasInsertedLater) {
  const Mix mix = ReadWhole(kYcsb);
  const Values values(mix, 7);
  for (const uint64_t row : {0U, 1U, 2999U, 3000U, 500'000U}) {
    EXPECT_EQ(values.NumberOfText(0, TextKey(mix, row)), row);
  }
  EXPECT_EQ(values.NumberOfText(0, "user1"), std::nullopt);
  EXPECT_EQ(values.NumberOfText(0, "user"), std::nullopt);
  EXPECT_EQ(values.NumberOfText(0, "user12x"), std::nullopt);
  EXPECT_EQ(values.NumberOfText(0, "6284781860667377211"), std::nullopt);
}

TEST(YcsbMix, ALoadIsInTheOrderOfTheBytesOfKeys) {
  for (const bool fnv : {false, true}) {
    for (const int digits : {1, 8, 19, 25}) {
      const Mix mix = WithKey(fnv, digits);
      const Values values(mix, 7);
      LoadParts parts(values);
      parts.Add(0, kNone, UINT64_MAX);
      std::string last;
      uint64_t rows = 0;
      parts.ForAll(parts[0], [&](uint64_t number, const Row&) {
        std::string key;
        values.AppendTextKey(0, number, &key);
        EXPECT_LT(last, key);
        last = key;
        return ++rows > 0;
      });
      EXPECT_EQ(rows, 3000);
    }
  }
}

// 23 bytes of key, eight of counter, and the 1,140 of the original's value.
TEST(YcsbMix, WritesFieldsAsTheOriginalDoes) {
  Ycsb ycsb;
  const std::string value = ycsb.Value(0, 0);
  EXPECT_EQ(value.size(), 8U + 1140U);
  EXPECT_EQ(value.substr(8, 14), std::string("\0\0\0\6field0\0\0\0\x64", 14));
  Row row;
  EXPECT_TRUE(ycsb.codec.DecodeValue(0, 0, value, &row));
  EXPECT_EQ(row.cells[3].text.size(), 100);
  for (size_t cut = 0; cut < value.size(); ++cut) {
    ASSERT_FALSE(ycsb.codec.DecodeValue(0, 0, value.substr(0, cut), &row));
  }
  EXPECT_FALSE(ycsb.codec.DecodeValue(0, 0, value + "x", &row));
}

TEST(YcsbMix, RunsOperationsOfEveryKind) {
  Ycsb ycsb;
  for (int run = 0; run < 2; ++run) {
    const auto workload = Begin(ycsb.values, ycsb.store);
    auto all = Drive(*workload, 1000);
    EXPECT_EQ(all["READ"].found, all["READ"].done);
    EXPECT_EQ(all["UPDATE"].committed, all["UPDATE"].done);
    EXPECT_EQ(all["INSERT"].committed, all["INSERT"].done);
    EXPECT_EQ(all["READ-MODIFY-WRITE"].committed,
              all["READ-MODIFY-WRITE"].done);
    const Driven& scan = all["SCAN"];
    EXPECT_NEAR(scan.rows, 50.5 * scan.done, 20 * scan.done);
    EXPECT_EQ(Violations(*workload), Texts{});
  }
  EXPECT_EQ(Violations(ycsb.values, ycsb.store), Texts{});
}

// An update writes one field, another each time.
TEST(YcsbMix, UpdatesOneField) {
  Ycsb ycsb;
  const auto session = ycsb.store.NewSession(1);
  Request request;
  request.operation = 1;
  request.drawn = {5, 0};
  Row before;
  Row after;
  const std::string old = ycsb.Value(0, 5);
  ASSERT_TRUE(ycsb.codec.DecodeValue(0, 5, old, &before));
  std::string now = old;
  for (const uint64_t field : {3U, 9U}) {
    request.drawn[1] = field;
    request.stamp = 11 + field;
    ASSERT_EQ(session->Execute(request).error, nullptr);
    now = ycsb.Value(0, 5);
    ASSERT_TRUE(ycsb.codec.DecodeValue(0, 5, now, &after));
    EXPECT_EQ(ycsb.values.StampOf(0, 1 + field, 5, after.cells[1 + field].text),
              request.stamp);
  }
  for (const size_t field : {0U, 1U, 2U, 4U, 5U, 6U, 7U, 8U}) {
    EXPECT_EQ(after.cells[1 + field].text, before.cells[1 + field].text);
  }
}

// Defect Y3: the original gets a record and puts it without a lock.
TEST(YcsbMix, FindsALostUpdate) {
  Ycsb ycsb;
  const auto workload = Begin(ycsb.values, ycsb.store);
  const auto session = ycsb.store.NewSession(1);
  Drive(*workload, 100);
  Request request;
  request.operation = 4;
  request.drawn = {17, 2};
  request.stamp = 99;
  const Outcome reply = session->Execute(request);
  EXPECT_EQ(reply.found, 2);
  EXPECT_TRUE(reply.committed);
  const Texts one_more = Violations(*workload);
  ASSERT_EQ(one_more.size(), 1);
  EXPECT_TRUE(one_more[0].starts_with("usertable.modified: all rows"));
}

// The row that a get has locked is what the update changes.
TEST(YcsbMix, ReadsARowOnceThatItModifies) {
  Ycsb ycsb;
  const auto session = ycsb.store.NewSession(1);
  Request request;
  request.operation = 4;
  for (int turn = 1; turn <= 3; ++turn) {
    request.drawn = {17, static_cast<uint64_t>(turn)};
    request.stamp = static_cast<uint64_t>(turn);
    ASSERT_EQ(session->Execute(request).error, nullptr);
    Row row;
    const std::string value = ycsb.Value(0, 17);
    ASSERT_TRUE(ycsb.codec.DecodeValue(0, 17, value, &row));
    EXPECT_EQ(row.cells[0].number, turn);
    // Another session's update in between is seen.
    Request other = request;
    other.operation = 1;
    other.drawn = {17, 9};
    other.stamp = 1000 + request.stamp;
    ASSERT_EQ(ycsb.store.NewSession(2)->Execute(other).error, nullptr);
  }
  Row row;
  const std::string value = ycsb.Value(0, 17);
  ASSERT_TRUE(ycsb.codec.DecodeValue(0, 17, value, &row));
  EXPECT_EQ(ycsb.values.StampOf(0, 10, 17, row.cells[10].text), 1003);
}

// Of two updates of a row, each of a field of its own, one did not last.
TEST(YcsbMix, FindsWhichUpdateOfARowIsLost) {
  Ycsb ycsb;
  std::vector<LoggedRequest> log(2);
  for (uint64_t i = 0; i < log.size(); ++i) {
    log[i].request = {1, {5, 3 + i}, 21 + i};
    log[i].begin = 2 * i;
    log[i].end = 2 * i + 1;
    log[i].number = i;
  }
  ASSERT_EQ(ycsb.store.NewSession(1)->Execute(log[1].request).error, nullptr);
  CheckResult result;
  ASSERT_TRUE(Check(ycsb.values, ycsb.store, nullptr, &log, &result).ok());
  EXPECT_EQ(
      result.violations,
      Texts{"acknowledged: usertable: row 5: field3 is older, request 0"});
}

// Defect Y5.
TEST(YcsbMix, CallsARowThatIsNotThereAnError) {
  Ycsb ycsb;
  const auto workload = Begin(ycsb.values, ycsb.store);
  for (uint64_t row = 0; row < 3000; ++row) {
    const std::string key = ycsb.Key(0, row);
    ASSERT_TRUE(ycsb.database.db()->Delete({}, ycsb.Of(0), key).ok());
  }
  const auto worker = workload->NewWorker(0, 7);
  int errors = 0;
  for (int i = 0; i < 100; ++i) {
    worker->Draw();
    const Outcome outcome = worker->Execute();
    const std::string_view name = workload->OperationNames()[outcome.operation];
    if (name == "INSERT" || name == "SCAN") continue;
    ASSERT_NE(outcome.error, nullptr);
    EXPECT_TRUE(outcome.error->starts_with(std::string(name) + ": found no"));
    ++errors;
  }
  EXPECT_GT(errors, 50);
}

// Defect Y1: the original ends.
TEST(YcsbMix, ScansNothingWithoutAnError) {
  Ycsb ycsb;
  for (uint64_t row = 0; row < 3000; ++row) {
    ASSERT_TRUE(
        ycsb.database.db()->Delete({}, ycsb.Of(0), ycsb.Key(0, row)).ok());
  }
  Request request;
  request.operation = 3;
  request.drawn = {0, 10};
  const Outcome reply = ycsb.store.NewSession(1)->Execute(request);
  EXPECT_EQ(reply.error, nullptr);
  EXPECT_EQ(reply.rows, 0);
}

}  // namespace
}  // namespace waltax::mix
