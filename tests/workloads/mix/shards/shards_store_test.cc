#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/driver/rocksdb/temporary_database.h"
#include "tests/workloads/mix/drive.h"
#include "tests/workloads/mix/example.h"
#include "workloads/mix/shards/store.h"

namespace waltax::mix {
namespace {

using Texts = std::vector<std::string>;
constexpr uint64_t kNodes = 3;
constexpr size_t kRead = 0;
constexpr size_t kUpdate = 1;

// YCSB's table on three databases.
class Sharded {
 public:
  explicit Sharded(const char* owner) : owner_(kNodes, owner, values_) {
    std::vector<std::unique_ptr<Store>> stores;
    uint64_t all = 0;
    for (uint64_t node = 0; node < kNodes; ++node) {
      databases_.push_back(std::make_unique<TemporaryDatabase>(mix_.families));
      Values part(mix_, 7);
      part.is_here = [this, node](uint64_t row) { return NodeOf(row) == node; };
      uint64_t rows = 0;
      uint64_t bytes = 0;
      RocksdbEngine& engine = databases_.back()->engine();
      EXPECT_TRUE(NewKvStore(engine, part)
                      ->Load(
                          2, [](uint64_t) {}, &rows, &bytes)
                      .ok());
      EXPECT_GT(rows, 900U);
      all += rows;
      stores.push_back(NewKvStore(engine, values_));
    }
    EXPECT_EQ(all, 3000);
    store = NewShardedStore(owner, values_, std::move(stores));
  }
  [[nodiscard]] std::string Key(uint64_t row) const {
    std::string key;
    values_.AppendTextKey(0, row, &key);
    return key;
  }
  [[nodiscard]] size_t NodeOf(uint64_t row) const {
    return owner_.Of(Key(row));
  }
  std::string Value(uint64_t row) {
    std::string value;
    EXPECT_TRUE(
        db(NodeOf(row))->Get({}, table(NodeOf(row)), Key(row), &value).ok());
    return value;
  }
  void Put(size_t node, uint64_t row, const std::string& value) {
    EXPECT_TRUE(db(node)->Put({}, table(node), Key(row), value).ok());
  }
  void Delete(uint64_t row) {
    EXPECT_TRUE(db(NodeOf(row))->Delete({}, table(NodeOf(row)), Key(row)).ok());
  }
  Texts Faults() { return Violations(values_, *store); }
  std::unique_ptr<Workload> Begin() { return mix::Begin(values_, *store); }

  std::unique_ptr<Store> store;

 private:
  rocksdb::DB* db(size_t node) { return databases_[node]->engine().base(); }
  rocksdb::ColumnFamilyHandle* table(size_t node) {
    return databases_[node]->engine().column_family(1);
  }

  Mix mix_ = ReadWhole(kYcsb);
  Values values_{mix_, 7};
  Owner owner_;
  std::vector<std::unique_ptr<TemporaryDatabase>> databases_;
};

Request Of(size_t operation, uint64_t row, uint64_t second) {
  Request request;
  request.operation = operation;
  request.drawn = {row, second};
  request.stamp = 11;
  return request;
}

TEST(ShardedStore, HasEachRowOnTheNodeThatOwnsItAndRunsOnThemAll) {
  for (const char* owner : {"range", "hash"}) {
    Sharded nodes(owner);
    EXPECT_EQ(nodes.Faults(), Texts{}) << owner;
    const auto workload = nodes.Begin();
    auto all = Drive(*workload, 500);
    EXPECT_EQ(all["UPDATE"].committed, all["UPDATE"].done);
    EXPECT_EQ(Violations(*workload), Texts{}) << owner;
  }
}

TEST(ShardedStore, FindsARowOnANodeThatDoesNotOwnItAndOneThatIsLost) {
  Sharded nodes("range");
  const size_t other = (nodes.NodeOf(5) + 1) % kNodes;
  const std::string misplaced =
      "usertable: one is on a node that does not own it";
  nodes.Put(other, 5, nodes.Value(5));
  EXPECT_EQ(nodes.Faults(), Texts{misplaced});
  nodes.Delete(5);
  EXPECT_EQ(nodes.Faults(), (Texts{misplaced, "usertable: row 5 is missing"}));
}

TEST(ShardedStore, CountsTheOperationsOfEachNode) {
  Sharded nodes("range");
  const auto first = nodes.store->NewSession(1);
  const auto second = nodes.store->NewSession(2);
  const size_t node = nodes.NodeOf(0);
  first->Execute(Of(kRead, 0, 0));
  first->Execute(Of(kUpdate, 0, 0));
  nodes.Delete(7);
  second->Execute(Of(kUpdate, 7, 0));  // there is no such row
  second->Execute(Of(kRead, 0, 0));
  nlohmann::json slice;
  nodes.store->AddToSlice(&slice);
  uint64_t commits = 0;
  uint64_t operations = 0;
  for (const auto& each : slice["nodes"]) {
    commits += each["commits"].get<uint64_t>();
    operations += each["operations"].get<uint64_t>();
  }
  EXPECT_EQ(commits, 1);
  EXPECT_EQ(operations, 4);
  EXPECT_GE(slice["nodes"][node]["operations"], 3);
  nodes.store->AddToSlice(&slice);
  EXPECT_EQ(slice["nodes"][node]["operations"], 0);
}

}  // namespace
}  // namespace waltax::mix
