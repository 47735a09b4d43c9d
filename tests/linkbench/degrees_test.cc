#include "linkbench/degrees.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

namespace waltax::linkbench {
namespace {

std::unique_ptr<OutDegrees> Degrees(const GraphOptions& graph) {
  std::unique_ptr<OutDegrees> degrees;
  const Status status = OutDegrees::Create(graph, &degrees);
  EXPECT_TRUE(status.ok()) << status.message();
  return degrees;
}

GraphOptions Graph(uint64_t ids) {
  GraphOptions graph;
  graph.maxid1 = ids + 1;
  return graph;
}

struct Sums {
  double degrees = 0;
  double links = 0;
  std::vector<uint64_t> top = std::vector<uint64_t>(3);
  std::vector<double> share = std::vector<double>(3);  // of degrees 0, 1, 2
};

Sums SumUp(const GraphOptions& graph) {
  const auto degrees = Degrees(graph);
  Sums sums;
  for (uint64_t id = graph.startid1; id < graph.maxid1; ++id) {
    const uint64_t total = degrees->Total(id);
    sums.degrees += static_cast<double>(total);
    sums.links +=
        static_cast<double>(degrees->OfType(id, 0) + degrees->OfType(id, 1));
    if (total < 3) sums.share[total] += 1.0 / static_cast<double>(graph.ids());
    sums.top.push_back(total);
    std::sort(sums.top.rbegin(), sums.top.rend());
    sums.top.pop_back();
  }
  return sums;
}

// What the published table gives (and, for links, what the original loaded).
struct Published {
  uint64_t ids;
  double degrees;
  double links;
  std::vector<double> top;
};

class BuiltInTable : public testing::TestWithParam<Published> {};

TEST_P(BuiltInTable, AgreesWithThePublishedOneWithinOnePercent) {
  const Published& want = GetParam();
  const Sums got = SumUp(Graph(want.ids));
  EXPECT_NEAR(got.degrees / want.degrees, 1, 0.01);
  EXPECT_NEAR(got.links / want.links, 1, 0.01);
  for (size_t i = 0; i < want.top.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(got.top[i]) / want.top[i], 1, 0.01) << i;
  }
  EXPECT_EQ(got.top[0], 961'963U);
  EXPECT_NEAR(got.share[0], 0.4533, 0.001);
  EXPECT_NEAR(got.share[1], 0.3213, 0.001);
  EXPECT_NEAR(got.share[2], 0.0950, 0.001);
}

INSTANTIATE_TEST_SUITE_P(
    Scales, BuiltInTable,
    testing::Values(
        Published{2'000, 966'018, 966'565, {961963, 979, 264}},
        Published{100'000, 1'341'526, 1'368'899, {961963, 24000, 16865}},
        Published{1'000'000, 4'975'697, 5'249'370, {961963, 64914, 48203}},
        Published{
            10'000'000, 41'721'824, 44'458'555, {961963, 196788, 140837}}));

TEST(OutDegrees, AreTheOriginalsForTheFirstIds) {
  const auto degrees = Degrees(Graph(100'000));
  const uint64_t want[] = {0, 1, 0, 0, 1, 3, 1, 1, 3, 1, 0, 0};
  for (uint64_t id = 1; id <= 12; ++id) {
    EXPECT_EQ(degrees->Total(id), want[id - 1]) << id;
  }
  EXPECT_EQ(degrees->OfType(6, 0), 2U);
  EXPECT_EQ(degrees->OfType(6, 1), 2U);
  EXPECT_EQ(degrees->OfType(2, 0), 1U);
  EXPECT_EQ(degrees->OfType(2, 1), 0U);
}

TEST(OutDegrees, GiveBothTypesTheRemainder) {
  GraphOptions graph = Graph(10);
  graph.nlinks_func = DegreeFunction::kConst;
  for (const auto& [total, first, second] :
       {std::tuple{1, 1, 0}, {2, 2, 1}, {3, 2, 2}, {6, 4, 4}}) {
    graph.nlinks_default = total;
    const auto degrees = Degrees(graph);
    EXPECT_EQ(degrees->OfType(1, 0), static_cast<uint64_t>(first)) << total;
    EXPECT_EQ(degrees->OfType(1, 1), static_cast<uint64_t>(second)) << total;
  }
}

TEST(OutDegrees, AreCappedOnRequest) {
  GraphOptions graph = Graph(100'000);
  graph.degree_cap = 1000;
  const auto degrees = Degrees(graph);
  EXPECT_EQ(degrees->Total(degrees->HottestId()), 1000U);
}

TEST(OutDegrees, FollowTheArithmeticFunctions) {
  GraphOptions graph = Graph(100);
  graph.nlinks_config = 5;
  graph.nlinks_func = DegreeFunction::kMultiples;
  EXPECT_EQ(Degrees(graph)->Total(15), 5U);
  EXPECT_EQ(Degrees(graph)->Total(16), 0U);
  graph.nlinks_func = DegreeFunction::kReciprocal;
  EXPECT_EQ(Degrees(graph)->Total(11), 10U);
  EXPECT_EQ(Degrees(graph)->Total(1), 100U);
  graph.nlinks_config = 2;
  graph.nlinks_func = DegreeFunction::kPerfectSquares;
  EXPECT_EQ(Degrees(graph)->Total(49), 13U);
  EXPECT_EQ(Degrees(graph)->Total(50), 0U);
  graph.nlinks_func = DegreeFunction::kExponential;
  EXPECT_EQ(Degrees(graph)->Total(64), 32U);
  EXPECT_EQ(Degrees(graph)->Total(65), 0U);
}

class DataFileTest : public testing::Test {
 protected:
  void Write(const std::string& text) {
    std::ofstream(path_) << text;
    graph_.maxid1 = 11;
    graph_.data_file = path_;
  }
  std::string Refusal() {
    std::unique_ptr<OutDegrees> degrees;
    return OutDegrees::Create(graph_, &degrees).message();
  }
  ~DataFileTest() override { std::filesystem::remove(path_); }

  std::string path_ = std::filesystem::temp_directory_path() /
                      ("waltax-data-file-" + std::to_string(getpid()));
  GraphOptions graph_;
};

TEST_F(DataFileTest, IsAStepFunctionOfTheRank) {
  Write(
      "nlinks\r\n0 45\n7 90.0\n1000\t100\nlink_nreads\n0 100\n"
      "link_nwrites\n0 100\nnode_nreads\n0 100\nnode_nwrites\n0 100\n");
  const auto degrees = Degrees(graph_);
  std::vector<uint64_t> totals;
  for (uint64_t id = 1; id < 11; ++id) totals.push_back(degrees->Total(id));
  std::sort(totals.rbegin(), totals.rend());
  EXPECT_EQ(totals, (std::vector<uint64_t>{1000, 7, 7, 7, 7, 7, 0, 0, 0, 0}));
  EXPECT_FALSE(degrees->data_hash().empty());
}

TEST_F(DataFileTest, IsRefusedWithItsLine) {
  Write("nlinks\n0 45\nseven 90\n");
  EXPECT_EQ(Refusal(), "--data-file: " + path_ +
                           ":3: found \"seven 90\", want a section's name, or "
                           "a whole number and a percentage");
  Write("0 45\n");
  EXPECT_NE(Refusal().find("want a section's name"), std::string::npos);
  Write("nlinks\n5 45\n4 50\n");
  EXPECT_NE(Refusal().find(":3:"), std::string::npos);
  Write("nlinks\n0 45\n7 nan\n");
  EXPECT_NE(Refusal().find(":3: found \"7 nan\", want a percentage from 0"),
            std::string::npos);
  Write("nlinks\n0 45\n18446744073709551615 100\n");
  EXPECT_NE(Refusal().find("want at most 1000000000 links"), std::string::npos);
  Write("node_nreads\n0 100\n");
  EXPECT_NE(Refusal().find("no section nlinks"), std::string::npos);
  graph_.data_file = path_ + "-absent";
  EXPECT_NE(Refusal().find("cannot be read"), std::string::npos);
}

}  // namespace
}  // namespace waltax::linkbench
