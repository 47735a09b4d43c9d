#include "linkbench/degrees.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace waltax::linkbench {
namespace {

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
  const OutDegrees degrees(graph);
  Sums sums;
  for (uint64_t id = graph.startid1; id < graph.maxid1; ++id) {
    const uint64_t total = degrees.Total(id);
    sums.degrees += static_cast<double>(total);
    sums.links +=
        static_cast<double>(degrees.OfType(id, 0) + degrees.OfType(id, 1));
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
  const OutDegrees degrees(Graph(100'000));
  const uint64_t want[] = {0, 1, 0, 0, 1, 3, 1, 1, 3, 1, 0, 0};
  for (uint64_t id = 1; id <= 12; ++id) {
    EXPECT_EQ(degrees.Total(id), want[id - 1]) << id;
  }
  EXPECT_EQ(degrees.OfType(6, 0), 2U);
  EXPECT_EQ(degrees.OfType(6, 1), 2U);
  EXPECT_EQ(degrees.OfType(2, 0), 1U);
  EXPECT_EQ(degrees.OfType(2, 1), 0U);
}

TEST(OutDegrees, GiveBothTypesTheRemainder) {
  GraphOptions graph = Graph(100'000);
  for (const auto& [total, first, second] :
       {std::tuple{1, 1, 0}, {2, 2, 1}, {3, 2, 2}, {6, 4, 4}}) {
    graph.degree_cap = static_cast<uint64_t>(total);
    const OutDegrees degrees(graph);
    const uint64_t id = degrees.HottestId();
    EXPECT_EQ(degrees.OfType(id, 0), static_cast<uint64_t>(first)) << total;
    EXPECT_EQ(degrees.OfType(id, 1), static_cast<uint64_t>(second)) << total;
  }
}

TEST(OutDegrees, AreCappedOnRequest) {
  GraphOptions graph = Graph(100'000);
  graph.degree_cap = 1000;
  const OutDegrees degrees(graph);
  EXPECT_EQ(degrees.Total(degrees.HottestId()), 1000U);
}

}  // namespace
}  // namespace waltax::linkbench
