// The semantics of the ten operations, for a test program to instantiate with
// the stores that it has:
//   INSTANTIATE_TEST_SUITE_P(Stores, StoreTest, testing::Values(...),
//   StoreName)
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "driver/random.h"
#include "linkbench/store.h"
#include "tests/linkbench/checked_graph.h"

namespace waltax::linkbench {

inline constexpr uint64_t kForever = INT64_MAX;

// Opens a store without any row, whose first new node gets 100 and whose
// operations meet up to 100 conflicts. `keeper` keeps what the store borrows.
struct StoreUnderTest {
  std::string name;
  std::unique_ptr<Store> (*open)(std::shared_ptr<void>* keeper);
};

class StoreTest : public testing::TestWithParam<StoreUnderTest> {
 protected:
  void SetUp() override {
    store_ = GetParam().open(&keeper_);
    session_ = store_->NewSession(1);
  }

  bool Add(uint64_t id2, uint64_t time, std::string_view data = "d",
           bool visible = true) {
    const Reply reply =
        session_->AddLink({1, 7, id2}, {visible, 3, time, data});
    EXPECT_EQ(reply.error, nullptr);
    return reply.found;
  }
  bool Delete(uint64_t id2) {
    return session_->DeleteLink({1, 7, id2}, 99).found;
  }
  uint64_t Count() {
    uint64_t count = 0;
    session_->CountLinks(1, 7, &count);
    return count;
  }
  std::vector<uint64_t> List(uint64_t max_time = kForever, uint32_t offset = 0,
                             uint32_t limit = 10) {
    session_->GetLinksList({1, 7, max_time, offset, limit}, &rows_);
    std::vector<uint64_t> id2s;
    for (size_t i = 0; i < rows_.size(); ++i) id2s.push_back(rows_.id2(i));
    return id2s;
  }
  void ExpectConsistent() {
    GraphOptions graph;
    graph.maxid1 = 100;
    const CheckResult result = Checked(*store_, graph);
    EXPECT_TRUE(result.violations.empty()) << result.violations.front();
  }

  std::shared_ptr<void> keeper_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Session> session_;
  LinkRows rows_;
};

using Ids = std::vector<uint64_t>;

TEST_P(StoreTest, AddsALinkOnceAndOverwritesItLater) {
  EXPECT_FALSE(Add(5, 10, "old"));
  EXPECT_TRUE(Add(5, 20, "new"));
  EXPECT_EQ(Count(), 1U);
  EXPECT_EQ(List(), (Ids{5}));
  EXPECT_EQ(rows_.value(0).data, "new");
  EXPECT_EQ(rows_.value(0).time, 20U);
  EXPECT_EQ(rows_.value(0).version, 3U);
  ExpectConsistent();
}

TEST_P(StoreTest, HidesADeletedLinkButStillGetsIt) {
  Add(5, 10, "kept");
  EXPECT_TRUE(Delete(5));
  EXPECT_TRUE(Delete(5));
  EXPECT_FALSE(Delete(6));
  EXPECT_EQ(Count(), 0U);
  EXPECT_TRUE(List().empty());
  session_->MultigetLinks(1, 7, Ids{4, 5}, &rows_);
  ASSERT_EQ(rows_.size(), 1U);
  EXPECT_FALSE(rows_.value(0).visible);
  EXPECT_EQ(rows_.value(0).data, "kept");
  EXPECT_EQ(rows_.value(0).time, 10U);
  ExpectConsistent();
}

TEST_P(StoreTest, CountsALinkThatIsDeletedTwiceOnce) {
  Add(5, 10);
  Add(6, 11);
  EXPECT_TRUE(Delete(5));
  EXPECT_TRUE(Delete(5));
  EXPECT_EQ(Count(), 1U);
  ExpectConsistent();
}

TEST_P(StoreTest, TellsWhatCommittedFromWhatFoundAllAsItWas) {
  const LinkKey key = {1, 7, 5};
  EXPECT_FALSE(session_->DeleteLink(key, 9).changed);
  EXPECT_TRUE(session_->AddLink(key, {true, 3, 10, "d"}).changed);
  EXPECT_TRUE(session_->AddLink(key, {true, 3, 11, "e"}).changed);
  EXPECT_TRUE(session_->DeleteLink(key, 12).changed);
  const Reply hidden = session_->DeleteLink(key, 13);
  EXPECT_TRUE(hidden.found);
  EXPECT_FALSE(hidden.changed);
  EXPECT_TRUE(session_->AddLink(key, {true, 3, 14, "d"}).changed);
  EXPECT_TRUE(session_->AddLink(key, {false, 3, 15, "d"}).changed);
  uint64_t id = 0;
  EXPECT_TRUE(session_->AddNode({2048, 1, 77, "one"}, &id).changed);
  EXPECT_TRUE(session_->UpdateNode(id, {2048, 2, 78, "two"}).changed);
  EXPECT_FALSE(session_->UpdateNode(id, {5, 2, 79, "two"}).changed);
  EXPECT_TRUE(session_->DeleteNode(id, 2048).changed);
  EXPECT_FALSE(session_->DeleteNode(id, 2048).changed);
  EXPECT_FALSE(session_->UpdateNode(id, {2048, 2, 79, "two"}).changed);
}

TEST_P(StoreTest, ShowsAHiddenLinkThatIsAddedAgain) {
  Add(5, 10);
  Delete(5);
  EXPECT_TRUE(Add(5, 30));
  EXPECT_EQ(Count(), 1U);
  EXPECT_EQ(List(), (Ids{5}));
  ExpectConsistent();
}

TEST_P(StoreTest, CountsOnlyVisibleLinks) {
  EXPECT_FALSE(Add(5, 10, "", /*visible=*/false));
  EXPECT_EQ(Count(), 0U);
  Add(6, 11);
  EXPECT_EQ(Count(), 1U);
  ExpectConsistent();
}

TEST_P(StoreTest, ListsTheNewestFirst) {
  Add(3, 10);
  Add(1, 30);
  Add(9, 19);
  Add(2, 20);
  EXPECT_EQ(List(), (Ids{1, 2, 9, 3}));
  EXPECT_EQ(List(20), (Ids{2, 9, 3}));
  EXPECT_EQ(List(20, 1), (Ids{9, 3}));
  EXPECT_EQ(List(kForever, 0, 2), (Ids{1, 2}));
  EXPECT_TRUE(List(9).empty());
  EXPECT_TRUE(List(kForever, 9).empty());
}

TEST_P(StoreTest, ListsEqualTimesInAnOrderOfItsOwnThatPagesKeep) {
  for (const uint64_t id2 : {4, 2, 9, 3}) Add(id2, 20);
  Add(1, 10);
  const Ids all = List();
  EXPECT_EQ((std::set<uint64_t>(all.begin(), all.end() - 1)),
            (std::set<uint64_t>{2, 3, 4, 9}));
  EXPECT_EQ(all.back(), 1U);
  for (uint32_t offset = 0; offset < all.size(); ++offset) {
    EXPECT_EQ(List(kForever, offset, 1), (Ids{all[offset]}));
  }
}

TEST_P(StoreTest, GetsLinksInTheOrderInWhichTheyWereAskedFor) {
  for (const uint64_t id2 : {1, 2, 3}) Add(id2, 10 + id2, "d");
  const auto got = [this](const Ids& asked) {
    EXPECT_EQ(session_->MultigetLinks(1, 7, asked, &rows_).error, nullptr);
    Ids id2s;
    for (size_t i = 0; i < rows_.size(); ++i) id2s.push_back(rows_.id2(i));
    return id2s;
  };
  EXPECT_EQ(got({3, 7, 1}), (Ids{3, 1}));
  EXPECT_EQ(got({2}), (Ids{2}));
  EXPECT_EQ(got({2, 1, 2}), (Ids{2, 1, 2}));
  EXPECT_TRUE(got({7, 8}).empty());
  EXPECT_TRUE(got({}).empty());
}

TEST_P(StoreTest, CarriesEveryByteOfAPayload) {
  std::string bytes;
  for (int byte = 0; byte < 255; ++byte) {
    bytes.push_back(static_cast<char>(byte));
  }
  Add(5, 10, bytes);
  List();
  EXPECT_EQ(rows_.value(0).data, bytes);
  uint64_t id = 0;
  session_->AddNode({2048, 1, 77, bytes}, &id);
  NodeValue node;
  std::string data;
  EXPECT_TRUE(session_->GetNode(id, 2048, &node, &data).found);
  EXPECT_EQ(node.data, bytes);
}

TEST_P(StoreTest, KeepsNeighboursApart) {
  Add(5, 10);
  session_->AddLink({1, 8, 5}, {true, 0, 10, ""});
  session_->AddLink({2, 7, 5}, {true, 0, 10, ""});
  session_->AddLink({0, 7, 5}, {true, 0, 10, ""});
  EXPECT_EQ(List(), (Ids{5}));
  EXPECT_EQ(Count(), 1U);
  uint64_t count = 7;
  EXPECT_FALSE(session_->CountLinks(3, 7, &count).found);
  EXPECT_EQ(count, 0U);
}

TEST_P(StoreTest, ListsWhatWasAddedSinceTheLastList) {
  for (uint64_t id2 = 1; id2 < 50; ++id2) {
    Add(id2, id2);
    EXPECT_EQ(List(kForever, 0, 1), (Ids{id2}));
    if (id2 % 3 == 0) {
      Delete(id2);
      EXPECT_EQ(List(kForever, 0, 1), (Ids{id2 - 1}));
    }
  }
}

TEST_P(StoreTest, KeepsNodes) {
  uint64_t first = 0;
  uint64_t second = 0;
  session_->AddNode({2048, 1, 77, "one"}, &first);
  session_->AddNode({2048, 1, 78, "two"}, &second);
  EXPECT_EQ(first, 100U);
  EXPECT_EQ(second, 101U);
  NodeValue node;
  std::string data;
  EXPECT_TRUE(session_->GetNode(first, 2048, &node, &data).found);
  EXPECT_EQ(node.data, "one");
  EXPECT_EQ(node.time, 77U);
  EXPECT_FALSE(session_->GetNode(first, 5, &node, &data).found);
  EXPECT_FALSE(session_->UpdateNode(first, {5, 2, 79, "x"}).found);
  EXPECT_TRUE(session_->UpdateNode(first, {2048, 2, 79, "three"}).found);
  EXPECT_TRUE(session_->GetNode(first, 2048, &node, &data).found);
  EXPECT_EQ(node.data, "three");
  EXPECT_EQ(node.version, 2U);
  EXPECT_FALSE(session_->DeleteNode(first, 5).found);
  EXPECT_TRUE(session_->DeleteNode(first, 2048).found);
  EXPECT_FALSE(session_->DeleteNode(first, 2048).found);
  EXPECT_FALSE(session_->UpdateNode(first, {2048, 2, 79, "x"}).found);
  EXPECT_FALSE(session_->GetNode(first, 2048, &node, &data).found);
}

// Adds and deletes random links of two pairs; returns how many calls failed.
inline int Hammer(Session* session, uint64_t seed) {
  Random random(seed);
  int failed = 0;
  for (uint64_t i = 0; i < 2000; ++i) {
    const LinkKey key = {1 + random.NextInt(2), 7, random.NextInt(8)};
    const Reply reply =
        random.NextInt(2) == 0
            ? session->AddLink(key, {true, 0, random.NextInt(100), "data"})
            : session->DeleteLink(key, i);
    if (reply.error != nullptr) ++failed;
  }
  return failed;
}

TEST_P(StoreTest, StaysConsistentUnderEightThreads) {
  std::vector<int> failed(8);
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < failed.size(); ++i) {
    threads.emplace_back([this, &failed, i] {
      failed[i] = Hammer(store_->NewSession(i).get(), i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const int count : failed) EXPECT_EQ(count, 0);
  ExpectConsistent();
}

inline std::string StoreName(
    const testing::TestParamInfo<StoreUnderTest>& info) {
  return info.param.name;
}

}  // namespace waltax::linkbench
