#include "workloads/ycsb/requests.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "driver/acknowledged.h"

namespace waltax::ycsb {
namespace {

constexpr int kRequests = 100'000;

Options Resolved(const std::string& distribution) {
  Options options;
  options.requests.requestdistribution = distribution;
  EXPECT_TRUE(Resolve(&options).ok());
  return options;
}

std::map<uint64_t, int> Numbers(const Options& options, uint64_t newest) {
  const Chooser chooser = NewChooser(options);
  Random random(1);
  std::map<uint64_t, int> numbers;
  for (int i = 0; i < kRequests; ++i) ++numbers[chooser(random, newest)];
  return numbers;
}

TEST(Chooser, AsksForRecordsThatAreThere) {
  for (const char* name :
       {"uniform", "zipfian", "latest", "hotspot", "exponential"}) {
    const auto numbers = Numbers(Resolved(name), 999);
    EXPECT_LE(numbers.rbegin()->first, 999U) << name;
    EXPECT_GT(numbers.size(), 500U) << name;
  }
}

TEST(Chooser, AsksForARangeOfRecordsOnly) {
  for (const char* name : {"uniform", "zipfian", "hotspot"}) {
    for (const char* zipf : {"published", "exact"}) {
      Options options;
      options.data.insertstart = 200;
      options.data.insertcount = 300;
      options.requests.requestdistribution = name;
      options.requests.zipf = zipf;
      ASSERT_TRUE(Resolve(&options).ok());
      const auto numbers = Numbers(options, 999);
      EXPECT_GE(numbers.begin()->first, 200U) << name;
      EXPECT_LE(numbers.rbegin()->first, 499U) << name;
    }
  }
}

// What is inserted is asked for as soon as it is there, and no sooner.
TEST(Chooser, AsksForInsertedRecordsWhereTheOriginalDoes) {
  for (const char* name : {"zipfian", "latest", "exponential"}) {
    Options options;
    options.requests.requestdistribution = name;
    options.requests.proportions = {.5, 0, .5, 0, 0};
    ASSERT_TRUE(Resolve(&options).ok());
    EXPECT_EQ(Numbers(options, 999).rbegin()->first, 999U) << name;
    EXPECT_EQ(Numbers(options, 1099).rbegin()->first, 1099U) << name;
  }
}

TEST(Chooser, AsksMostForTheNewestWithLatest) {
  const auto numbers = Numbers(Resolved("latest"), 1999);
  for (const auto& [number, count] : numbers) {
    EXPECT_LE(count, numbers.at(1999)) << number;
  }
  // Key 0 practically never.
  EXPECT_FALSE(Numbers(Resolved("latest"), 999).contains(0));
}

TEST(Chooser, SpreadsAnExactZipfOverTheRecords) {
  Options options;
  options.requests.requestdistribution = "zipfian";
  options.requests.zipf = "exact";
  options.requests.zipf_constant = 1.5;
  ASSERT_TRUE(Resolve(&options).ok());
  const auto numbers = Numbers(options, 999);
  std::multimap<int, uint64_t, std::greater<>> hottest;
  for (const auto& [number, count] : numbers) hottest.emplace(count, number);
  const double sum = HarmonicSum(1000, 1.5);
  EXPECT_NEAR(hottest.begin()->first, kRequests / sum,
              4 * std::sqrt(kRequests / sum));
  auto at = hottest.begin();
  const uint64_t first = at->second;
  const uint64_t second = (++at)->second;
  EXPECT_GT(first > second ? first - second : second - first, 100U);
}

std::shared_ptr<RequestModel> Model(
    const std::function<void(Options*)>& change) {
  Options options;
  change(&options);
  EXPECT_TRUE(Resolve(&options).ok());
  return std::make_shared<RequestModel>(options);
}

TEST(Requests, HaveTheSharesThatWereAskedFor) {
  const auto model = Model([](Options* options) {
    options->requests.proportions = {.4, .3, .15, .1, .05};
    options->requests.maxscanlength = 100;
  });
  RequestStream stream(model, 0, 1);
  DrawnRequest request;
  std::array<double, kOps> shares{};
  for (int i = 0; i < kRequests; ++i) {
    stream.Draw(999, &request);
    shares[static_cast<size_t>(request.op)] += 1.0 / kRequests;
  }
  std::vector<InputCount> counts(model->InputRules().size());
  stream.TakeInputs(&counts);
  for (size_t i = 0; i < kOps; ++i) {
    const double share = model->options.requests.proportions[i];
    EXPECT_NEAR(shares[i], share, 4 * std::sqrt(share / kRequests));
    EXPECT_EQ(model->InputRules()[i].mean, share);
    EXPECT_EQ(counts[i].samples, static_cast<uint64_t>(kRequests));
    EXPECT_NEAR(static_cast<double>(counts[i].sum), shares[i] * kRequests, .5);
  }
  ASSERT_EQ(counts.size(), kOps + 1);
  EXPECT_EQ(model->InputRules().back().name, "records asked for per scan");
  EXPECT_EQ(counts.back().samples, counts[3].sum);
  EXPECT_NEAR(static_cast<double>(counts.back().sum) /
                  static_cast<double>(counts.back().samples),
              50.5, 4 * 28.9 / std::sqrt(counts.back().samples));
}

TEST(Requests, ReadAllFieldsAndUpdateOneByDefault) {
  RequestStream stream(Model([](Options*) {}), 0, 1);
  DrawnRequest request;
  for (int i = 0; i < 1000; ++i) {
    stream.Draw(999, &request);
    EXPECT_FALSE(request.field);
    if (request.op == Op::kUpdate) {
      EXPECT_EQ(request.values.fields.size(), 1U);
      EXPECT_LT(request.values.field, 10U);
    }
  }
}

TEST(Requests, ReadOneFieldAndUpdateAllWhereTheyAreTold) {
  RequestStream stream(Model([](Options* options) {
                         options->requests.readallfields = false;
                         options->requests.writeallfields = true;
                         options->requests.proportions = {.5, .5, 0, 0, 0};
                       }),
                       0, 1);
  DrawnRequest request;
  std::set<uint32_t> fields;
  for (int i = 0; i < 1000; ++i) {
    stream.Draw(999, &request);
    ASSERT_TRUE(request.field);
    fields.insert(*request.field);
    if (request.op == Op::kUpdate) {
      EXPECT_EQ(request.values.fields.size(), 10U);
    }
  }
  EXPECT_EQ(fields.size(), 10U);
}

TEST(Requests, LeaveTheNumberOfAnInsertOpenAndWriteAllItsFields) {
  RequestStream stream(Model([](Options* options) {
                         options->requests.proportions = {0, 0, 1, 0, 0};
                         options->data.dataintegrity = true;
                       }),
                       0, 1);
  DrawnRequest request;
  stream.Draw(999, &request);
  EXPECT_FALSE(request.number);
  request.number = 0;
  stream.Name(&request);
  EXPECT_EQ(request.key, "user6284781860667377211");
  ASSERT_EQ(request.values.fields.size(), 10U);
  EXPECT_TRUE(request.values.fields[0].starts_with(
      "user6284781860667377211:field0:-56807877"));
}

TEST(Requests, AreTheSameWithTheSameSeedAndOthersWithAnother) {
  const auto model = Model([](Options*) {});
  RequestStream first(model, 3, 7);
  RequestStream again(model, 3, 7);
  RequestStream other(model, 4, 7);
  int equal = 0;
  DrawnRequest one;
  DrawnRequest two;
  DrawnRequest three;
  for (int i = 0; i < 100; ++i) {
    first.Draw(999, &one);
    again.Draw(999, &two);
    other.Draw(999, &three);
    EXPECT_EQ(one.key, two.key);
    EXPECT_EQ(one.values.bytes, two.values.bytes);
    equal += one.key == three.key ? 1 : 0;
  }
  EXPECT_LT(equal, 10);
}

TEST(AcknowledgedCounter, ShowsARecordWhenAllBeforeItAreThere) {
  AcknowledgedCounter counter(1000);
  EXPECT_EQ(counter.last(), 999U);
  EXPECT_EQ(counter.Take(), 1000U);
  EXPECT_EQ(counter.Take(), 1001U);
  EXPECT_EQ(counter.Take(), 1002U);
  counter.Acknowledge(1002);
  counter.Acknowledge(1001);
  EXPECT_EQ(counter.last(), 999U);
  EXPECT_EQ(counter.Doubtful(), (std::vector<uint64_t>{1000}));
  counter.Acknowledge(1000);
  EXPECT_EQ(counter.last(), 1002U);
  EXPECT_TRUE(counter.Doubtful().empty());
  EXPECT_EQ(counter.next(), 1003U);
}

}  // namespace
}  // namespace waltax::ycsb
