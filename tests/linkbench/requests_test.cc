#include "linkbench/requests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace waltax::linkbench {
namespace {

constexpr int kDraws = 2'000'000;

std::shared_ptr<const RequestModel> Model(const Options& options) {
  return std::make_shared<const RequestModel>(options);
}

Options GraphOf(uint64_t ids) {
  Options options;
  options.graph.maxid1 = ids + 1;
  return options;
}

// One operation only, so that a test need not draw the others.
Options Only(Op op) {
  Options options = GraphOf(100'000);
  options.requests.mix.fill(0);
  options.requests.mix[static_cast<size_t>(op)] = 100;
  return options;
}

TEST(RequestStream, DrawsTheMix) {
  RequestStream stream(Model(GraphOf(100'000)), 0, 1, 1);
  std::array<int, kOps> seen{};
  Request request;
  for (int i = 0; i < kDraws; ++i) {
    stream.Draw(&request);
    ++seen[static_cast<size_t>(request.op)];
  }
  const RequestOptions want;
  for (size_t op = 0; op < kOps; ++op) {
    EXPECT_NEAR(100.0 * seen[op] / kDraws, want.mix[op], 0.1) << kOpNames[op];
  }
}

TEST(RequestStream, RepeatsWithItsSeedAndDiffersBetweenWorkers) {
  const auto model = Model(GraphOf(1000));
  RequestStream one(model, 0, 2, 7);
  RequestStream same(model, 0, 2, 7);
  RequestStream other(model, 1, 2, 7);
  Request a;
  Request b;
  Request c;
  int differ = 0;
  for (int i = 0; i < 1000; ++i) {
    one.Draw(&a);
    same.Draw(&b);
    other.Draw(&c);
    ASSERT_EQ(a.op, b.op);
    ASSERT_EQ(a.id1, b.id1);
    ASSERT_EQ(a.payload, b.payload);
    differ += a.id1 != c.id1 ? 1 : 0;
  }
  EXPECT_GT(differ, 500);
}

struct Skew {
  double hottest = 0;
  double ten = 0;
  double percent = 0;  // the hottest 1 % of the ids
  uint64_t hottest_id = 0;
};

Skew SkewOf(Op op) {
  RequestStream stream(Model(Only(op)), 0, 1, 1);
  std::unordered_map<uint64_t, int> seen;
  Request request;
  for (int i = 0; i < kDraws; ++i) {
    stream.Draw(&request);
    ++seen[request.id1];
  }
  std::vector<std::pair<int, uint64_t>> order;
  for (const auto& [id, times] : seen) order.emplace_back(times, id);
  std::sort(order.rbegin(), order.rend());
  Skew skew;
  skew.hottest_id = order[0].second;
  for (size_t i = 0; i < 1000; ++i) {
    const double share = 100.0 * order[i].first / kDraws;
    if (i < 1) skew.hottest += share;
    if (i < 10) skew.ten += share;
    skew.percent += share;
  }
  return skew;
}

TEST(RequestStream, SkewsLinkReadsAndWritesAlike) {
  for (const Op op : {Op::kCountLink, Op::kDeleteLink}) {
    const Skew skew = SkewOf(op);
    EXPECT_EQ(skew.hottest_id, 86017U);  // rank 0 of the uncorrelated shuffle
    EXPECT_NEAR(skew.hottest, 2.18, 0.06);
    EXPECT_NEAR(skew.ten, 8.2, 0.15);
    EXPECT_NEAR(skew.percent, 34, 1);
  }
}

TEST(RequestStream, SkewsNodeReadsAndSpreadsNodeDeletes) {
  const Skew reads = SkewOf(Op::kGetNode);
  EXPECT_EQ(reads.hottest_id, 88065U);
  EXPECT_NEAR(reads.hottest, 0.51, 0.03);
  EXPECT_NEAR(reads.percent, 17, 1);
  EXPECT_EQ(SkewOf(Op::kUpdateNode).hottest_id, 88065U);
  EXPECT_LT(SkewOf(Op::kDeleteNode).hottest, 0.005);
}

struct Sizes {
  double mean = 0;
  size_t median = 0;
  size_t p99 = 0;
  size_t max = 0;
  double empty_percent = 0;
};

Sizes PayloadSizes(Op op, int draws) {
  RequestStream stream(Model(Only(op)), 0, 1, 1);
  std::vector<size_t> sizes;
  Request request;
  for (int i = 0; i < draws; ++i) {
    stream.Draw(&request);
    sizes.push_back(request.payload.size());
  }
  std::sort(sizes.begin(), sizes.end());
  Sizes out;
  for (const size_t size : sizes) {
    out.mean += static_cast<double>(size) / draws;
    if (size == 0) out.empty_percent += 100.0 / draws;
  }
  out.median = sizes[sizes.size() / 2];
  out.p99 = sizes[sizes.size() * 99 / 100];
  out.max = sizes.back();
  return out;
}

TEST(RequestStream, SizesLinks) {
  for (const Op op : {Op::kAddLink, Op::kUpdateLink}) {
    const Sizes sizes = PayloadSizes(op, 1'000'000);
    EXPECT_NEAR(sizes.mean, 13.16, 0.1);
    EXPECT_EQ(sizes.median, 8U);
    EXPECT_NEAR(static_cast<double>(sizes.p99), 82, 2);
    EXPECT_EQ(sizes.max, 254U);
    EXPECT_NEAR(sizes.empty_percent, 0.28, 0.03);
  }
}

TEST(RequestStream, SizesNodes) {
  const Sizes sizes = PayloadSizes(Op::kUpdateNode, 500'000);
  EXPECT_NEAR(sizes.mean, 211.6, 2);
  EXPECT_NEAR(static_cast<double>(sizes.median), 128, 1);
  EXPECT_NEAR(static_cast<double>(sizes.p99), 1314, 30);
}

TEST(RequestStream, MultigetsAreOneLargerThanDocumented) {
  RequestStream stream(Model(Only(Op::kMultigetLink)), 0, 1, 1);
  Request request;
  double sum = 0;
  for (int i = 0; i < 500'000; ++i) {
    stream.Draw(&request);
    ASSERT_GE(request.id2_count, 2U);
    ASSERT_LE(request.id2_count, 127U);
    sum += request.id2_count;
  }
  EXPECT_NEAR(sum / 500'000, 3.62, 0.02);
}

TEST(RequestStream, ChoosesTargetsByHowLikelyTheyExist) {
  const struct {
    Op op;
    double exists;
  } cases[] = {
      {Op::kAddLink, .05}, {Op::kDeleteLink, .9}, {Op::kUpdateLink, .9}};
  for (const auto& [op, exists] : cases) {
    const auto model = Model(Only(op));
    RequestStream stream(model, 0, 1, 1);
    Request request;
    double existing = 0;
    double tried = 0;
    for (int i = 0; i < 500'000; ++i) {
      stream.Draw(&request);
      const auto type = static_cast<uint32_t>(request.type - kFirstLinkType);
      const uint64_t links = model->degrees().OfType(request.id1, type);
      if (links == 0) {
        ASSERT_EQ(request.id2(), request.id1);
      } else if (links >= 100) {
        existing += request.id2() < request.id1 + links ? 1 : 0;
        ++tried;
      }
    }
    EXPECT_NEAR(existing / tried, exists, 0.02) << kOpNames[size_t(op)];
  }
}

TEST(RequestStream, UsesBothLinkTypesEvenly) {
  RequestStream stream(Model(Only(Op::kCountLink)), 0, 1, 1);
  std::map<uint64_t, int> seen;
  Request request;
  for (int i = 0; i < 200'000; ++i) {
    stream.Draw(&request);
    ++seen[request.type];
  }
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_NEAR(seen[123456789], 100'000, 1500);
}

TEST(RequestStream, GivesEveryWorkerItsOwnTargets) {
  Options options = Only(Op::kAddLink);
  options.requests.id2gen_config = 1;
  RequestStream stream(Model(options), 3, 8, 1);
  Request request;
  for (int i = 0; i < 1000; ++i) {
    stream.Draw(&request);
    ASSERT_EQ(request.id2() % 8, 3U);
  }
}

TEST(RequestStream, GoesOnWhereLongListsEnded) {
  RequestStream stream(Model(Only(Op::kGetLinksList)), 0, 1, 1);
  Request request;
  stream.Draw(&request);
  ASSERT_FALSE(request.history);
  const uint64_t hub = request.id1;
  stream.OnListRead(request, kListLimit, 1234);
  int history = 0;
  const int draws = 1'000'000;
  for (int i = 0; i < draws; ++i) {
    stream.Draw(&request);
    if (!request.history) continue;
    ++history;
    ASSERT_EQ(request.id1, hub);
    ASSERT_EQ(request.max_time, 1234U);
    ASSERT_EQ(request.offset, 1U);
    stream.OnListRead(request, kListLimit, 1234);
  }
  EXPECT_NEAR(100.0 * history / draws, 0.3, 0.03);
}

TEST(RequestStream, ForgetsListsThatEnded) {
  Options options = Only(Op::kGetLinksList);
  options.requests.getlinklist_history = 100;
  RequestStream stream(Model(options), 0, 1, 1);
  Request request;
  stream.Draw(&request);
  stream.OnListRead(request, kListLimit, 99);
  stream.Draw(&request);
  ASSERT_TRUE(request.history);
  stream.OnListRead(request, kListLimit - 1, 50);
  stream.Draw(&request);
  EXPECT_FALSE(request.history);
}

TEST(TailCache, HoldsEachListOnceAndNoMoreThanItsCapacity) {
  TailCache cache;
  Random random(1);
  cache.Add(random, {1, 2, 30});
  cache.Add(random, {1, 2, 20});
  ASSERT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache[0].time, 30U);
  for (uint64_t id = 0; id < 3000; ++id) cache.Add(random, {id, 5, 1});
  EXPECT_EQ(cache.size(), TailCache::kCapacity);
}

TEST(Options, AreRefusedInOneLine) {
  Options options = GraphOf(1000);
  EXPECT_TRUE(Validate(options).ok());
  options.requests.mix[0] += 1;
  EXPECT_EQ(Validate(options).exit_code(), 2);
  EXPECT_NE(Validate(options).message().find("want 100"), std::string::npos);
  options = GraphOf(0);
  EXPECT_NE(Validate(options).message().find("--maxid1: found 1"),
            std::string::npos);
  options = GraphOf(1ULL << 31);
  EXPECT_FALSE(Validate(options).ok());
  options = GraphOf(1000);
  options.graph.node_add.end_byte = 10;
  EXPECT_NE(Validate(options).message().find("--node-add-datagen-endbyte"),
            std::string::npos);
}

}  // namespace
}  // namespace waltax::linkbench
