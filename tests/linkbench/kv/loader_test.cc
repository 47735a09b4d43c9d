// What a load writes into RocksDB, and what its check finds.
#include <gtest/gtest.h>
#include <rocksdb/iterator.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "linkbench/degrees.h"
#include "linkbench/store.h"
#include "linkbench/tables.h"
#include "tests/linkbench/checked_graph.h"
#include "tests/linkbench/kv/fixture.h"
#include "tests/linkbench/loaded_graph.h"

namespace waltax::linkbench {
namespace {

GraphOptions SmallGraph() {
  GraphOptions graph;
  graph.maxid1 = 5001;
  graph.degree_cap = 300;
  return graph;
}

LoadedGraph LoadInto(TemporaryDatabase* database, const GraphOptions& graph,
                     int threads) {
  const LoadOptions options = {threads, 7, 1'700'000'000'000};
  return Loaded(graph, options, [&](const table::Load& load, LoadedRows* rows) {
    return LoadTables(database->engine(), load, rows);
  });
}

CheckResult Checked(TemporaryDatabase* database, const GraphOptions& graph) {
  return linkbench::Checked(*NewKvStore(database->engine(), 1, 1), graph);
}

std::vector<std::string> Violations(TemporaryDatabase* database,
                                    const GraphOptions& graph = SmallGraph()) {
  return Checked(database, graph).violations;
}

TEST(Loader, LoadsAConsistentGraphOfTheExpectedSize) {
  TemporaryDatabase database;
  const LoadedGraph loaded = LoadInto(&database, SmallGraph(), 2);
  const OutDegrees degrees(SmallGraph());
  uint64_t links = 0;
  for (uint64_t id = 1; id < 5001; ++id) {
    links += degrees.OfType(id, 0) + degrees.OfType(id, 1);
  }
  EXPECT_EQ(loaded.rows[0], links);
  EXPECT_EQ(loaded.rows[1], links);
  EXPECT_EQ(loaded.rows[3], 5000U);
  EXPECT_EQ(loaded.hub_degree, 302U);  // DEVIATION T2 adds one a type
  EXPECT_TRUE(Violations(&database).empty());
}

std::string Dump(TemporaryDatabase* database) {
  const KvTables tables = database->tables();
  std::string rows;
  for (auto* table : {tables[Table::kLinks], tables[Table::kIndex],
                      tables[Table::kCounts], tables[Table::kNodes]}) {
    const std::unique_ptr<rocksdb::Iterator> row(
        tables.db->NewIterator(rocksdb::ReadOptions(), table));
    for (row->SeekToFirst(); row->Valid(); row->Next()) {
      rows += row->key().ToString() + "=" + row->value().ToString() + "\n";
    }
  }
  return rows;
}

TEST(Loader, WritesTheSameRowsWithAnyNumberOfThreads) {
  TemporaryDatabase one;
  TemporaryDatabase four;
  LoadInto(&one, SmallGraph(), 1);
  LoadInto(&four, SmallGraph(), 4);
  EXPECT_TRUE(Dump(&one) == Dump(&four));
}

TEST(Loader, CountsRandomTargetsOnce) {
  TemporaryDatabase database;
  GraphOptions graph = SmallGraph();
  graph.randomid2max = 50;
  LoadInto(&database, graph, 2);
  EXPECT_TRUE(Violations(&database, graph).empty());
}

TEST(DataSet, IsRefusedWhenTheFlagsAskForAnotherGraph) {
  nlohmann::json record = {{"graph", ToJson(SmallGraph())}};
  const auto refusal = [&record](const GraphOptions& graph) {
    return CompareRecord(record, "DIR", graph).message();
  };
  GraphOptions graph = SmallGraph();
  graph.maxid1 = 200'001;
  EXPECT_EQ(refusal(graph),
            "--maxid1: found 200001, but the data set in DIR was loaded with "
            "5001: pass that, or load another");
  graph = SmallGraph();
  graph.degree_cap = 0;
  EXPECT_NE(refusal(graph).find("--degree-cap: found 0"), std::string::npos);
  graph = SmallGraph();
  graph.link_datasize = 20;  // a run may write other sizes
  EXPECT_EQ(refusal(graph), "");
  record["data_hash"] = "built-in 0123456789abcdef";  // of an older version
  EXPECT_EQ(refusal(graph), "");
  record["data_hash"] = "0123456789abcdef";
  EXPECT_NE(refusal(graph).find("does not have any more: load again"),
            std::string::npos);
  record.erase("data_hash");
  record["graph"]["nlinks_func"] = "multiples";
  EXPECT_NE(refusal(graph).find("load again"), std::string::npos);
}

// Each test plants one fault in a sound data set; the check must name it.
class CheckTest : public testing::Test {
 protected:
  CheckTest() {
    LoadInto(&database_, SmallGraph(), 1);
    const std::unique_ptr<rocksdb::Iterator> row(tables_.db->NewIterator(
        rocksdb::ReadOptions(), tables_[Table::kLinks]));
    row->SeekToFirst();
    key_ = DecodeLinkKey(row->key().ToStringView());
    row_ = row->value().ToString();
    EXPECT_TRUE(DecodeRow(row_, &link_));
  }
  void Put(rocksdb::ColumnFamilyHandle* table, const rocksdb::Slice& key,
           const std::string& value) {
    EXPECT_TRUE(tables_.db->Put({}, table, key, value).ok());
  }
  void Remove(rocksdb::ColumnFamilyHandle* table, const rocksdb::Slice& key) {
    EXPECT_TRUE(tables_.db->Delete({}, table, key).ok());
  }
  [[nodiscard]] auto IndexKey() const {
    return EncodeIndexKey(key_, link_.visible, link_.time);
  }
  std::string Pair() const {
    return "id1 " + std::to_string(key_.id1) + " type " +
           std::to_string(key_.type);
  }
  std::string Only() {
    const auto violations = Violations(&database_);
    EXPECT_EQ(violations.size(), 1U);
    return violations.empty() ? "" : violations.front();
  }
  std::string Id2() const {
    return Pair() + " id2 " + std::to_string(key_.id2);
  }

  TemporaryDatabase database_;
  KvTables tables_{database_.engine()};
  LinkKey key_;
  std::string row_;
  LinkValue link_;
};

TEST_F(CheckTest, FindsALostCount) {
  Remove(tables_[Table::kCounts], EncodeCountKey(key_.id1, key_.type).slice());
  EXPECT_EQ(Only().find("counts: " + Pair() + ": count is 0"), 0U);
}

TEST_F(CheckTest, FindsACountWithoutLinks) {
  std::string value;
  EncodeRow(CountValue{3, 0, 0}, &value);
  Put(tables_[Table::kCounts], EncodeCountKey(999'999, 7).slice(), value);
  EXPECT_EQ(Only(),
            "counts: id1 999999 type 7: count is 3, visible links are 0");
}

TEST_F(CheckTest, FindsALostIndexRow) {
  Remove(tables_[Table::kIndex], IndexKey().slice());
  EXPECT_EQ(Only(), "links: " + Id2() + ": missing in the index");
}

TEST_F(CheckTest, FindsAnIndexRowWithoutLink) {
  std::string value;
  EncodeRow(IndexValue{0, "x"}, &value);
  Put(tables_[Table::kIndex], EncodeIndexKey({999'999, 7, 8}, true, 5).slice(),
      value);
  EXPECT_EQ(Only(), "index: id1 999999 type 7 id2 8: missing in the links");
}

TEST_F(CheckTest, FindsASecondIndexRow) {
  std::string value;
  EncodeRow(IndexValue{link_.version, link_.data}, &value);
  Put(tables_[Table::kIndex],
      EncodeIndexKey(key_, true, link_.time + 9).slice(), value);
  const auto violations = Violations(&database_);
  ASSERT_FALSE(violations.empty());
  EXPECT_TRUE(std::any_of(
      violations.begin(), violations.end(), [](const std::string& violation) {
        return violation.find("more than one row") != std::string::npos;
      }));
}

TEST_F(CheckTest, FindsAFlippedVisibilityTwice) {
  LinkValue hidden = link_;
  hidden.visible = false;
  std::string value;
  EncodeRow(hidden, &value);
  Put(tables_[Table::kLinks], EncodeLinkKey(key_).slice(), value);
  EXPECT_EQ(Violations(&database_).size(), 2U);  // the count and the index
}

TEST_F(CheckTest, FindsDifferentData) {
  std::string value;
  EncodeRow(IndexValue{link_.version, "something else"}, &value);
  Put(tables_[Table::kIndex], IndexKey().slice(), value);
  EXPECT_NE(Only().find("differ from the link's"), std::string::npos);
}

TEST_F(CheckTest, FindsKeysAndValuesOfTheWrongLength) {
  Put(tables_[Table::kLinks], "short", "");
  Put(tables_[Table::kCounts], EncodeCountKey(999'999, 7).slice(), "short");
  EXPECT_EQ(Violations(&database_).size(), 2U);
}

TEST_F(CheckTest, ListsTheFirstViolationsAndTheirNumber) {
  std::string value;
  EncodeRow(CountValue{3, 0, 0}, &value);
  for (uint64_t id = 0; id < 50; ++id) {
    Put(tables_[Table::kCounts], EncodeCountKey(999'000 + id, 7).slice(),
        value);
  }
  const CheckResult result = Checked(&database_, SmallGraph());
  EXPECT_EQ(result.violation_count, 50U);
  EXPECT_EQ(result.violations.size(), 5U);
}

}  // namespace
}  // namespace waltax::linkbench
