// What a load writes on a server, and what its check finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "driver/sql/load.h"
#include "linkbench/store.h"
#include "tests/linkbench/checked_graph.h"
#include "tests/linkbench/kv/fixture.h"
#include "tests/linkbench/loaded_graph.h"
#include "tests/linkbench/sql/fixture.h"

namespace waltax::linkbench {
namespace {

GraphOptions SmallGraph() {
  GraphOptions graph;
  graph.maxid1 = 5001;
  graph.degree_cap = 100;
  return graph;
}

constexpr LoadOptions kOptions = {4, 7, 1'700'000'000'000};

LoadedGraph LoadInto(const mariadb::SqlPlace& place) {
  return Loaded(SmallGraph(), kOptions,
                [&](const table::Load& load, LoadedRows* rows) {
                  return mariadb::LoadTables(place, load, false, rows);
                });
}

CheckResult Checked(const mariadb::SqlPlace& place) {
  return linkbench::Checked(*NewSqlStore(place.server, 1), SmallGraph());
}

// Every node, count and list of the graph, as operations read them.
std::vector<std::string> Read(Store* store, const GraphOptions& graph) {
  const auto session = store->NewSession(1);
  std::vector<std::string> all;
  NodeValue node;
  std::string data;
  LinkRows rows;
  for (uint64_t id = graph.startid1; id <= graph.maxid1; ++id) {
    const Reply found = session->GetNode(id, 2048, &node, &data);
    all.push_back(std::to_string(found.found) + " " +
                  std::to_string(node.time) + data);
    for (uint64_t type = 123456789; type < 123456791; ++type) {
      uint64_t count = 0;
      session->CountLinks(id, type, &count);
      session->GetLinksList({id, type, INT64_MAX, 0, 10'000}, &rows);
      all.push_back(std::to_string(count));
      std::vector<std::string> links;
      for (size_t i = 0; i < rows.size(); ++i) {
        links.push_back(std::to_string(rows.time(i)) + " " +
                        std::to_string(rows.id2(i)) +
                        std::string(rows.value(i).data));
      }
      std::sort(links.begin(), links.end());
      all.insert(all.end(), links.begin(), links.end());
    }
  }
  return all;
}

TEST(SqlLoader, LoadsTheRowsThatTheEmbeddedStoreGets) {
  SqlDatabase database;
  TemporaryDatabase embedded;
  const GraphOptions graph = SmallGraph();
  const LoadedGraph on_server = LoadInto(database.place());
  const LoadedGraph loaded =
      Loaded(graph, kOptions, [&](const table::Load& load, LoadedRows* rows) {
        return LoadTables(embedded.engine(), load, rows);
      });
  EXPECT_EQ(on_server.rows, loaded.rows);
  EXPECT_EQ(on_server.hub_degree, loaded.hub_degree);
  const auto sql = NewSqlStore(database.place().server, 1);
  const auto kv = NewKvStore(embedded.engine(), graph.maxid1, 1);
  EXPECT_TRUE(Read(sql.get(), graph) == Read(kv.get(), graph));
  uint64_t id = 0;
  sql->NewSession(1)->AddNode({2048, 1, 1, ""}, &id);
  EXPECT_EQ(id, graph.maxid1);
}

TEST(SqlLoader, LeavesAConsistentDataSet) {
  SqlDatabase database;
  const LoadedGraph loaded = LoadInto(database.place());
  const CheckResult result = Checked(database.place());
  EXPECT_EQ(result.violation_count, 0U);
  const std::vector<std::pair<std::string, uint64_t>> counted = {
      {"counts", loaded.rows[2]},
      {"index", loaded.rows[1]},
      {"links", loaded.rows[0]}};
  EXPECT_EQ(result.counted, counted);
}

// Each test plants one fault in a sound graph; the check must name it.
class SqlCheckTest : public testing::Test {
 protected:
  SqlCheckTest() {
    database_.CreateTables(1);
    database_.Execute(
        "INSERT INTO linktable SELECT 1 + seq DIV 10, 7 + seq % 2, seq, "
        "seq % 3 > 0, 0, 1000 + seq, 'data' FROM seq_1_to_2000");
    database_.Execute(
        "INSERT INTO counttable SELECT id1, link_type, SUM(visibility), 1, 1 "
        "FROM linktable GROUP BY id1, link_type");
  }
  std::string Only() {
    const CheckResult result = Checked(database_.place());
    EXPECT_EQ(result.violations.size(), 1U);
    return result.violations.empty() ? "" : result.violations.front();
  }

  SqlDatabase database_;
};

TEST_F(SqlCheckTest, FindsNothingInASoundGraph) {
  const CheckResult result = Checked(database_.place());
  EXPECT_EQ(result.violation_count, 0U);
  EXPECT_EQ(result.counted[2],
            (std::pair<std::string, uint64_t>{"links", 2000}));
}

TEST_F(SqlCheckTest, ChecksEmptyTables) {
  database_.Execute("TRUNCATE TABLE linktable");
  database_.Execute("TRUNCATE TABLE counttable");
  EXPECT_EQ(Checked(database_.place()).violation_count, 0U);
}

TEST_F(SqlCheckTest, FindsALostCount) {
  database_.Execute("DELETE FROM counttable WHERE id = 50 AND link_type = 8");
  EXPECT_EQ(Only().find("counts: id1 50 type 8: count is 0"), 0U);
}

TEST_F(SqlCheckTest, FindsACountWithoutLinks) {
  database_.Execute("INSERT INTO counttable VALUES (999999, 7, 3, 1, 1)");
  EXPECT_EQ(Only(),
            "counts: id1 999999 type 7: count is 3, visible links are 0");
}

TEST_F(SqlCheckTest, FindsALinkThatNobodyCounted) {
  database_.Execute(
      "INSERT INTO linktable VALUES (5, 55, 999999, 1, 0, 1, 'x')");
  EXPECT_EQ(Only(), "counts: id1 5 type 55: count is 0, visible links are 1");
}

TEST_F(SqlCheckTest, FindsALinkThatIsHiddenButCounted) {
  database_.Execute(
      "UPDATE linktable FORCE INDEX (PRIMARY) SET visibility = 0 "
      "WHERE link_type = 8 AND id1 = 50 AND visibility = 1 LIMIT 1");
  EXPECT_EQ(Only().find("counts: id1 50 type 8"), 0U);
}

}  // namespace
}  // namespace waltax::linkbench
