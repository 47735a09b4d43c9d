// The semantics of the six operations, for a test program to instantiate with
// the stores that it has.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/workloads/ycsb/operations.h"
#include "workloads/ycsb/keys.h"
#include "workloads/ycsb/store.h"
#include "workloads/ycsb/workload.h"

namespace waltax::ycsb {

// Three short fields, which can be told apart.
inline DataOptions SmallData() {
  DataOptions data;
  data.recordcount = 100;
  data.insertcount = 100;
  data.fieldcount = 3;
  data.fieldlength = 5;
  return data;
}

// Opens a store without any row. `keeper` keeps what the store borrows.
struct StoreUnderTest {
  std::string name;
  std::unique_ptr<Store> (*open)(const DataOptions& data,
                                 std::shared_ptr<void>* keeper);
  ShardOptions shards = {};  // of `data`
};

inline std::string StoreName(
    const testing::TestParamInfo<StoreUnderTest>& info) {
  return info.param.name;
}

class StoreTest : public testing::TestWithParam<StoreUnderTest> {
 protected:
  void SetUp() override {
    data_.shards = GetParam().shards;
    store_ = GetParam().open(data_, &keeper_);
    session_ = store_->NewSession(1);
  }

  static Values All(const std::string& a, const std::string& b,
                    const std::string& c) {
    return {std::nullopt, {Kept(a), Kept(b), Kept(c)}, {}};
  }
  static Values One(uint32_t field, const std::string& value) {
    return {field, {Kept(value)}, {}};
  }
  // Fills the table with the hundred records of SmallData().
  void Fill() {
    std::string key;
    for (uint64_t n = 0; n < 100; ++n) {
      SmallData().keys().Write(n, &key);
      Insert(key);
    }
  }
  void Insert(std::string_view key) {
    EXPECT_EQ(
        ycsb::Insert(*session_, key, All("aaaaa", "bbbbb", "ccccc")).error,
        nullptr);
  }
  std::vector<std::string> Fields(
      std::string_view key, std::optional<uint32_t> field = std::nullopt) {
    const Reply reply = Read(*session_, key, field, &row_);
    EXPECT_EQ(reply.error, nullptr);
    if (!reply.found) return {};
    return {row_.fields.begin(), row_.fields.end()};
  }
  std::vector<std::string> Violations(const Expected& expected = {}) {
    CheckResult result;
    const Status status =
        CheckRecords(data_, expected, 2, store_.get(), &result);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(result.violation_count > 0, !result.violations.empty());
    return result.violations;
  }

  DataOptions data_ = SmallData();
  std::shared_ptr<void> keeper_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Session> session_;
  Row row_;

 private:
  // Views of it live as long as the process.
  static std::string_view Kept(const std::string& text) {
    static auto* kept = new std::vector<std::unique_ptr<std::string>>();
    kept->push_back(std::make_unique<std::string>(text));
    return *kept->back();
  }
};

using Texts = std::vector<std::string>;

TEST_P(StoreTest, ReadsWhatWasInserted) {
  EXPECT_TRUE(Fields("user1").empty());
  Insert("user1");
  EXPECT_EQ(Fields("user1"), (Texts{"aaaaa", "bbbbb", "ccccc"}));
  EXPECT_EQ(Fields("user1", 1), (Texts{"", "bbbbb", ""}));
  EXPECT_TRUE(Fields("user").empty());
}

TEST_P(StoreTest, UpdatesTheFieldsThatItIsToldAndNoOther) {
  Insert("user1");
  EXPECT_TRUE(Update(*session_, "user1", One(1, "xxxxx")).found);
  EXPECT_EQ(Fields("user1"), (Texts{"aaaaa", "xxxxx", "ccccc"}));
  EXPECT_TRUE(Update(*session_, "user1", All("1", "2", "3")).found);
  EXPECT_EQ(Fields("user1"), (Texts{"1", "2", "3"}));
  EXPECT_EQ(row_.counter, 0U);
}

TEST_P(StoreTest, UpdatesNoRecordThatIsNotThere) {
  EXPECT_FALSE(Update(*session_, "user1", One(1, "xxxxx")).found);
  EXPECT_FALSE(
      ReadModifyWrite(*session_, "user1", std::nullopt, One(1, "x"), &row_)
          .found);
  EXPECT_TRUE(Fields("user1").empty());
}

TEST_P(StoreTest, ReplacesARecordWithoutHavingReadIt) {
  EXPECT_EQ(Replace(*session_, "user1", All("1", "2", "3")).error, nullptr);
  EXPECT_EQ(Replace(*session_, "user1", All("4", "5", "6")).error, nullptr);
  EXPECT_EQ(Fields("user1"), (Texts{"4", "5", "6"}));
}

TEST_P(StoreTest, ReadsModifiesWritesAndCountsIt) {
  Insert("user1");
  const Reply reply =
      ReadModifyWrite(*session_, "user1", std::nullopt, One(2, "xxxxx"), &row_);
  EXPECT_TRUE(reply.found);
  // As it was before.
  EXPECT_EQ(Texts(row_.fields.begin(), row_.fields.end()),
            (Texts{"aaaaa", "bbbbb", "ccccc"}));
  EXPECT_EQ(row_.counter, 0U);
  EXPECT_EQ(Fields("user1"), (Texts{"aaaaa", "bbbbb", "xxxxx"}));
  EXPECT_EQ(row_.counter, 1U);
  Update(*session_, "user1", One(0, "yyyyy"));
  Fields("user1");
  EXPECT_EQ(row_.counter, 1U);
}

TEST_P(StoreTest, ScansFromAKeyOn) {
  for (const char* key : {"user2", "user10", "user3", "user1"}) Insert(key);
  const auto rows = [&](const char* key, uint32_t limit) {
    return Scan(*session_, key, limit, std::nullopt).rows;
  };
  EXPECT_EQ(rows("user1", 100), 4U);
  EXPECT_EQ(rows("user10", 100), 3U);
  EXPECT_EQ(rows("user1", 2), 2U);
  EXPECT_EQ(rows("user2", 100), 2U);
}

// Defect Y1: the original ends with a division by zero, and exit code 0.
TEST_P(StoreTest, ScansNothingWithoutAnError) {
  Insert("user1");
  const Reply reply = Scan(*session_, "user2", 10, 1);
  EXPECT_EQ(reply.rows, 0U);
  EXPECT_FALSE(reply.found);
  EXPECT_EQ(reply.error, nullptr);
}

TEST_P(StoreTest, ScansWhatAnotherSessionInserted) {
  EXPECT_EQ(Scan(*session_, "user1", 10, std::nullopt).rows, 0U);
  ycsb::Insert(*store_->NewSession(2), "user5", All("1", "2", "3"));
  EXPECT_EQ(Scan(*session_, "user1", 10, std::nullopt).rows, 1U);
}

// Defect Y3: the original reads and puts without a lock, so that updates of
// other fields are lost.
TEST_P(StoreTest, LosesNoUpdateOfAHotRecord) {
  Fill();
  std::string key;
  SmallData().keys().Write(7, &key);
  constexpr int kEach = 300;
  std::vector<std::thread> threads;
  std::atomic<int> failed = 0;
  for (uint32_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      const auto session = store_->NewSession(t);
      Row row;
      for (int i = 0; i < kEach; ++i) {
        const std::string text(1, static_cast<char>('0' + i % 10));
        const Values values{t, {text}, {}};
        const Reply reply =
            ReadModifyWrite(*session, key, std::nullopt, values, &row);
        // Only this thread writes the field.
        const char before = static_cast<char>('0' + (i + 9) % 10);
        const bool kept = i == 0 || row.fields[t] == std::string(1, before);
        if (reply.error != nullptr || !reply.found || !kept) ++failed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(Fields(key), (Texts{"9", "9", "9"}));
  EXPECT_EQ(row_.counter, 3U * kEach);
  Totals totals;
  ASSERT_TRUE(Survey(store_.get(), &totals).ok());
  EXPECT_EQ(totals.rows, 100U);
  EXPECT_EQ(totals.counter, 3U * kEach);
}

TEST_P(StoreTest, ChecksATableThatIsAsItMustBe) {
  Fill();
  EXPECT_EQ(Violations(), Texts{});
  Insert("user" + std::to_string(Fnv64(100)));
  Insert("user" + std::to_string(Fnv64(101)));
  EXPECT_EQ(Violations(), Texts{});
  EXPECT_EQ(Violations({102, {}, 0, {}}), Texts{});
}

TEST_P(StoreTest, FindsARecordThatIsMissing) {
  EXPECT_FALSE(Violations().empty());
  Fill();
  EXPECT_EQ(Violations({102, {101}, {}, {}}),
            (Texts{"records: user" + std::to_string(Fnv64(100)) +
                   " is missing, though its insert was acknowledged"}));
}

TEST_P(StoreTest, AllowsForAnInsertWhoseFateIsUnknown) {
  Fill();
  EXPECT_EQ(Violations({101, {100}, {}, {}}), Texts{});
  Insert("user" + std::to_string(Fnv64(100)));
  EXPECT_EQ(Violations({101, {100}, {}, {}}), Texts{});
}

TEST_P(StoreTest, FindsARecordThatNobodyWrote) {
  Fill();
  Insert("user1");
  Insert("user99");
  EXPECT_EQ(Violations(),
            (Texts{"records: user1 is there, though it was never written",
                   "records: user99 is there, though it was never written"}));
}

TEST_P(StoreTest, FindsAFieldThatHoldsWhatWasNeverWritten) {
  Fill();
  std::string key;
  SmallData().keys().Write(7, &key);
  Update(*session_, key, One(1, "xxx"));
  EXPECT_EQ(Violations(), (Texts{"fields: field1 of " + key +
                                 " holds what was never written"}));
}

TEST_P(StoreTest, FindsALostUpdate) {
  Fill();
  std::string key;
  SmallData().keys().Write(7, &key);
  ReadModifyWrite(*session_, key, std::nullopt, One(1, "xxxxx"), &row_);
  EXPECT_EQ(Violations({{}, {}, 1, {}}), Texts{});
  EXPECT_EQ(Violations({{}, {}, 2, {}}),
            (Texts{"counters: 1 read-modify-writes are in the records, 2 were "
                   "acknowledged"}));
}

}  // namespace waltax::ycsb
