#include "workloads/ycsb/store.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/workloads/ycsb/operations.h"
#include "tests/workloads/ycsb/shards/fixture.h"
#include "workloads/ycsb/shards/owner.h"
#include "workloads/ycsb/workload.h"

namespace waltax::ycsb {
namespace {

class ShardedStoreTest : public testing::Test {
 protected:
  void Open(const char* owner) {
    store_.reset();
    databases_ = std::make_unique<Databases>();
    data_ = {};
    data_.recordcount = 3000;
    data_.fieldcount = 2;
    data_.fieldlength = 5;
    data_ = OnNodes(data_, owner);
    Options options = {data_, {}};
    ASSERT_TRUE(Resolve(&options).ok());
    data_ = options.data;
    uint64_t records = 0;
    for (uint64_t node = 0; node < kNodes; ++node) {
      RecordsLoaded loaded;
      const Status status =
          NewKvStore((*databases_)[node].engine(), PartOf(data_, node), 1)
              ->Load({7, 2}, &loaded);
      ASSERT_TRUE(status.ok()) << status.message();
      EXPECT_GT(loaded.records, 900U);
      records += loaded.records;
    }
    EXPECT_EQ(records, data_.recordcount);
    store_ = OpenDatabases(data_, databases_.get());
  }
  [[nodiscard]] size_t NodeOf(std::string_view key) const {
    return Owner(data_.shards, data_.keys()).Of(key);
  }
  rocksdb::DB* db(size_t node) { return (*databases_)[node].engine().base(); }
  rocksdb::ColumnFamilyHandle* table(size_t node) {
    return (*databases_)[node].engine().column_family(1);
  }
  std::string Value(const std::string& key) {
    std::string value;
    const size_t node = NodeOf(key);
    EXPECT_TRUE(db(node)->Get({}, table(node), key, &value).ok());
    return value;
  }
  void Put(size_t node, const std::string& key, const std::string& value) {
    ASSERT_TRUE(db(node)->Put({}, table(node), key, value).ok());
  }
  void Delete(const std::string& key) {
    const size_t node = NodeOf(key);
    ASSERT_TRUE(db(node)->Delete({}, table(node), key).ok());
  }
  std::vector<std::string> Violations() {
    CheckResult result;
    EXPECT_TRUE(CheckRecords(data_, {}, 2, store_.get(), &result).ok());
    return result.violations;
  }

  // Records whose keys come before key_.
  [[nodiscard]] size_t Before() const {
    size_t before = 0;
    std::string key;
    for (uint64_t n = 0; n < data_.recordcount; ++n) {
      data_.keys().Write(n, &key);
      before += key < key_ ? 1 : 0;
    }
    return before;
  }

  DataOptions data_;
  std::unique_ptr<Databases> databases_;
  std::unique_ptr<Store> store_;
  const std::string key_ = "user6284781860667377211";
};

using Texts = std::vector<std::string>;

TEST_F(ShardedStoreTest, HasEachRecordOnTheNodeThatOwnsIt) {
  for (const char* owner : {"range", "hash"}) {
    Open(owner);
    EXPECT_EQ(Violations(), Texts{}) << owner;
    Totals totals;
    ASSERT_TRUE(Survey(store_.get(), &totals).ok());
    EXPECT_EQ(totals.rows, data_.recordcount);
  }
}

TEST_F(ShardedStoreTest, FindsARecordThatMovedToANodeThatDoesNotOwnIt) {
  Open("range");
  const size_t owner = NodeOf(key_);
  const size_t other = (owner + 1) % kNodes;
  const std::string misplaced = "nodes: " + key_ + " is on node " +
                                std::to_string(other) + ", but node " +
                                std::to_string(owner) + " owns it";
  Put(other, key_, Value(key_));
  EXPECT_EQ(Violations(), Texts{misplaced});
  Delete(key_);
  EXPECT_EQ(Violations(),
            (Texts{misplaced, "records: " + key_ + " is missing"}));
}

TEST_F(ShardedStoreTest, FindsARecordThatOneNodeLost) {
  Open("hash");
  Delete(key_);
  EXPECT_EQ(Violations(), Texts{"records: " + key_ + " is missing"});
  Row row;
  EXPECT_FALSE(Read(*store_->NewSession(1), key_, {}, &row).found);
}

TEST_F(ShardedStoreTest, RefusesADataSetThatWasCutOtherwise) {
  Open("range");
  const auto verify = [&](const DataOptions& data) {
    return CompareRecord({{"data", ToJson(PartOf(data_, 0))}}, "there", data)
        .message();
  };
  EXPECT_EQ(verify(PartOf(data_, 0)), "");
  EXPECT_EQ(verify(PartOf(data_, 1)),
            "--node: found 1, but the data set in there was loaded with 0: "
            "pass that, or load another");
  EXPECT_NE(verify(PartOf(OnNodes(data_, "hash"), 0)).find("--owner"),
            std::string::npos);
  DataOptions more = PartOf(data_, 0);
  more.shards.nodes = 4;
  EXPECT_NE(verify(more).find("--nodes: found 4"), std::string::npos);
  DataOptions one = data_;
  one.shards = {};
  EXPECT_NE(verify(one).find("--nodes: found 1"), std::string::npos);
}

// The cut must not show in what a scan sees.
TEST_F(ShardedStoreTest, ScansAcrossTheBoundsOfNodes) {
  for (const char* owner : {"range", "hash"}) {
    Open(owner);
    const auto session = store_->NewSession(1);
    EXPECT_EQ(Scan(*session, "user", 5000, {}).rows, 3000U) << owner;
    EXPECT_EQ(Scan(*session, "user", 1700, {}).rows, 1700U) << owner;
    EXPECT_EQ(Scan(*session, key_, 5000, {}).rows, 3000U - Before()) << owner;
    EXPECT_EQ(Scan(*session, "user99999", 5, {}).rows, 0U) << owner;
  }
}

TEST_F(ShardedStoreTest, CountsTheOperationsOfEachNodeAndClient) {
  Open("range");
  Row row;
  const std::string text = "aaaaa";
  const Values values = {0, {text}, {}};
  const auto first = store_->NewSession(1);
  const auto second = store_->NewSession(2);
  const size_t node = NodeOf(key_);
  Read(*first, key_, {}, &row);
  Update(*first, key_, values);
  Update(*second, "user3075", values);  // node 0 has no such record
  Scan(*second, "user", 5000, {});
  nlohmann::json slice;
  store_->AddToSlice(&slice);
  EXPECT_EQ(slice["clients"], (nlohmann::json{2, 2}));
  EXPECT_EQ(slice["nodes"][node], (nlohmann::json{{"operations", 2},
                                                  {"reads", 1},
                                                  {"writes", 1},
                                                  {"commits", 1},
                                                  {"scans", 1}}));
  EXPECT_EQ(slice["nodes"][0], (nlohmann::json{{"operations", 2},
                                               {"reads", 1},
                                               {"writes", 1},
                                               {"commits", 0},
                                               {"scans", 1}}));
  EXPECT_FALSE(slice.contains("forwarded"));
  store_->AddToSlice(&slice);
  EXPECT_EQ(slice["clients"], (nlohmann::json{0, 0}));
  EXPECT_EQ(slice["nodes"][node]["operations"], 0);
}

// One table stands for those that all nodes show.
TEST(RedirectedStore, TellsWhatWasForwardedFromWhatWasLocal) {
  DataOptions whole;
  whole.recordcount = whole.insertcount = 100;
  DataOptions data = OnNodes(whole, "range");
  data.shards.route = "redirect";
  NodeStores nodes;
  for (uint64_t node = 0; node < kNodes; ++node) {
    nodes.own.push_back(std::make_unique<MemoryStore>(PartOf(data, node)));
    auto all = std::make_unique<MemoryStore>(whole);
    all->Fill(1);
    nodes.all.push_back(std::move(all));
  }
  const auto store = NewShardedStore(data, std::move(nodes), 5);
  std::vector<std::unique_ptr<Session>> sessions;
  for (uint64_t seed = 5; seed < 5 + kNodes; ++seed) {
    sessions.push_back(store->NewSession(seed));
  }
  Row row;
  for (const auto& session : sessions) {
    EXPECT_TRUE(
        Read(*session, "user6284781860667377211", std::nullopt, &row).found);
    EXPECT_EQ(Scan(*session, "user", 100, std::nullopt).rows, 100U);
  }
  nlohmann::json slice;
  store->AddToSlice(&slice);
  EXPECT_EQ(slice["forwarded"], 2);
  EXPECT_EQ(slice["latency_forwarded_us"]["count"], 2);
  EXPECT_EQ(slice["latency_local_us"]["count"], 1);
  EXPECT_EQ(slice["clients"], (nlohmann::json{2, 2, 2}));
  EXPECT_EQ(slice["nodes"][2]["scans"], 1);
}

}  // namespace
}  // namespace waltax::ycsb
