#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/workloads/mix/example.h"
#include "workloads/mix/choice.h"
#include "workloads/mix/shards/store.h"

namespace waltax::mix {
namespace {

constexpr uint64_t kRecords = 100'000;

// A mix whose rows are `records`, with keys of at least so many digits.
Mix Records(uint64_t records, int digits = 1) {
  Mix mix = ReadWhole(kYcsb);
  mix.tables[0].rows = records;
  mix.tables[0].key.digits = digits;
  return mix;
}

// Which node has a key of such a mix.
struct OwnerOf {
  OwnerOf(uint64_t nodes, const char* owner, int digits = 1)
      : mix(Records(1, digits)), values(mix, 1), owner(nodes, owner, values) {}
  [[nodiscard]] size_t Of(std::string_view key) const { return owner.Of(key); }

  Mix mix;
  Values values;
  Owner owner;
};

// Of so many records.
std::vector<uint64_t> RecordsOfNodes(uint64_t nodes, const char* name,
                                     int digits = 1) {
  const Mix mix = Records(kRecords, digits);
  const Values values(mix, 1);
  const Owner owner(nodes, name, values);
  std::vector<uint64_t> counts(nodes);
  std::string key;
  for (uint64_t n = 0; n < kRecords; ++n) {
    key.clear();
    values.AppendTextKey(0, n, &key);
    ++counts[owner.Of(key)];
  }
  return counts;
}

// The most that a node has, by the mean.
double Imbalance(const std::vector<uint64_t>& counts) {
  const uint64_t sum =
      std::accumulate(counts.begin(), counts.end(), uint64_t{0});
  return static_cast<double>(*std::max_element(counts.begin(), counts.end())) *
         static_cast<double>(counts.size()) / static_cast<double>(sum);
}

// Of the requests that the original's workload A makes.
double ImbalanceOfRequests(uint64_t nodes, const char* name, uint64_t records) {
  const Mix mix = Records(records);
  const Values values(mix, 1);
  TableState rows(mix.tables[0], records, records, 0);
  Draw draw = mix.operations[0].draws[0];
  draw.room = 0;
  const RowChoice choice(draw, values, &rows);
  Random random(1, 1);
  const Owner owner(nodes, name, values);
  std::vector<uint64_t> counts(nodes);
  std::string key;
  for (int i = 0; i < 300'000; ++i) {
    key.clear();
    values.AppendTextKey(0, choice.Draw(random).value_or(0), &key);
    ++counts[owner.Of(key)];
  }
  return Imbalance(counts);
}

TEST(Owner, IsTheOnlyNodeOfOne) {
  EXPECT_EQ(OwnerOf(1, "range").Of("user1"), 0U);
  EXPECT_EQ(OwnerOf(1, "hash").Of("user1"), 0U);
}

// std::hash of libstdc++ is MurmurHash64A with the seed 0xc70f6907; these are
// of an implementation of it in Python.
TEST(Owner, ByHashIsThatOfTheStudy) {
  for (const auto& [key, hash] :
       {std::pair{"user6284781860667377211", 7389052170508986836U},
        std::pair{"user8517097267634966620", 10726519273002413192U},
        std::pair{"user1820151046732198393", 15210226800405800903U}}) {
    for (const uint64_t nodes : {2U, 3U, 8U, 64U}) {
      EXPECT_EQ(OwnerOf(nodes, "hash").Of(key), hash % nodes) << key;
    }
  }
}

// What the study's busiest node gets of the requests for 100,000 and for a
// million keys, by the mean.
TEST(Owner, ByHashLoadsTheBusiestNodeAsInTheStudy) {
  for (const auto& [nodes, of_100_000, of_a_million] :
       {std::tuple{2U, 1.03, 1.08}, std::tuple{4U, 1.05, 1.14},
        std::tuple{6U, 1.21, 1.40}, std::tuple{8U, 1.18, 1.22}}) {
    EXPECT_NEAR(ImbalanceOfRequests(nodes, "hash", 100'000), of_100_000, .02);
    EXPECT_NEAR(ImbalanceOfRequests(nodes, "hash", 1'000'000), of_a_million,
                .02);
  }
}

TEST(Owner, ByRangeHasEquallyManyRecordsWhateverTheWidthOfKeys) {
  for (const int digits : {1, 7, 18, 19, 25}) {
    for (const uint64_t nodes : {2U, 3U, 4U, 8U}) {
      EXPECT_LT(Imbalance(RecordsOfNodes(nodes, "range", digits)), 1.03)
          << nodes << " nodes, " << digits << " digits";
    }
  }
  EXPECT_LT(Imbalance(RecordsOfNodes(8, "hash")), 1.03);
}

// Data sets that were cut so must stay right.
TEST(Owner, ByRangeHasBoundsThatStay) {
  const OwnerOf owner(4, "range");
  EXPECT_EQ(owner.Of("user"), 0U);
  size_t node = 0;
  for (const std::string first :
       {"user307676568216158001", "user515095600794659369",
        "user7224100903689152101"}) {
    EXPECT_EQ(owner.Of(first.substr(0, first.size() - 1)), node);
    EXPECT_EQ(owner.Of(first), ++node);
  }
  EXPECT_EQ(owner.Of("user9"), 3U);
}

}  // namespace
}  // namespace waltax::mix
