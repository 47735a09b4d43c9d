#include "workloads/mix/choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "driver/distributions.h"
#include "tests/workloads/mix/example.h"

namespace waltax::mix {
namespace {

constexpr uint64_t kRows = 100;
constexpr int kDraws = 50'000;

class MixChoice : public testing::Test {
 protected:
  // How often each row was drawn; those that are not there are counted at
  // UINT64_MAX.
  std::map<uint64_t, int> Counts(const Draw& draw, int draws = kDraws) {
    TableState rows(mix_.tables[0], kRows, kRows, 0);
    const RowChoice choice(draw, values_, &rows);
    Random random(7);
    std::map<uint64_t, int> counts;
    for (int i = 0; i < draws; ++i) {
      const uint64_t row = choice.Draw(random).value_or(UINT64_MAX);
      ++counts[row < kRows ? row : UINT64_MAX];
    }
    return counts;
  }
  // As YCSB draws, where `rows` are there of the hundred that were loaded and
  // those that a run inserted.
  std::map<uint64_t, int> Counts(Choice choice, uint64_t rows) {
    Mix mix = mix_;
    mix.tables[0].rows = kRows;
    const Values values(mix, 7);
    Draw draw = Of(choice);
    draw.ycsb = true;
    draw.room = 1;
    draw.share = .8571428571;
    draw.accesses = .95;
    TableState all(mix.tables[0], rows, rows, 0);
    const RowChoice of(draw, values, &all);
    Random random(7);
    std::map<uint64_t, int> counts;
    for (int i = 0; i < kDraws; ++i) {
      ++counts[of.Draw(random).value_or(UINT64_MAX)];
    }
    return counts;
  }
  static Draw Of(Choice choice) {
    Draw draw;
    draw.table = 0;
    draw.choice = choice;
    return draw;
  }

  Mix mix_ = ReadWhole(kExample);
  Values values_{mix_, 7};
};

TEST_F(MixChoice, RowsCanBeAskedForOnceAllBeforeThemAreThere) {
  TableState rows(mix_.tables[0], kRows, kRows, 0);
  EXPECT_EQ(rows.Take(3), kRows);
  EXPECT_EQ(rows.Take(1), kRows + 3);
  EXPECT_EQ(rows.Take(2), kRows + 4);
  rows.Acknowledge(kRows + 4, 2);
  rows.Acknowledge(kRows, 3);
  EXPECT_EQ(rows.rows(), kRows + 3);
  rows.Acknowledge(kRows + 3, 1);
  EXPECT_EQ(rows.rows(), kRows + 6);
}

TEST_F(MixChoice, UniformGivesAllTheSame) {
  const auto counts = Counts(Of(Choice::kUniform));
  EXPECT_EQ(counts.size(), kRows);
  for (const auto& [row, count] : counts) EXPECT_NEAR(count, 500, 120) << row;
}

TEST_F(MixChoice, ZipfianGivesOneRowItsShareAndScattersTheNext) {
  Draw draw = Of(Choice::kZipfian);
  draw.constant = 1.2;
  const auto counts = Counts(draw);
  std::vector<std::pair<int, uint64_t>> hottest;
  for (const auto& [row, count] : counts) hottest.emplace_back(count, row);
  std::sort(hottest.rbegin(), hottest.rend());
  const double sum = HarmonicSum(kRows, 1.2);
  EXPECT_NEAR(hottest[0].first, kDraws / sum, 400);
  EXPECT_NEAR(hottest[1].first, kDraws / sum / std::pow(2, 1.2), 400);
  EXPECT_GT(std::llabs(static_cast<int64_t>(hottest[0].second) -
                       static_cast<int64_t>(hottest[1].second)),
            5);
}

TEST_F(MixChoice, LatestAndExponentialPreferTheNewest) {
  EXPECT_GT(Counts(Of(Choice::kLatest))[kRows - 1],
            Counts(Of(Choice::kLatest))[kRows - 2]);
  Draw draw = Of(Choice::kExponential);
  draw.share = .2;
  draw.accesses = .9;
  int newest = 0;
  for (const auto& [row, count] : Counts(draw)) {
    if (row >= 80 && row < kRows) newest += count;
  }
  EXPECT_NEAR(newest, .9 * kDraws, 500);
}

TEST_F(MixChoice, AsYcsbAsksForRowsThatAreThere) {
  for (const Choice choice :
       {Choice::kUniform, Choice::kZipfian, Choice::kLatest, Choice::kHotspot,
        Choice::kExponential, Choice::kSequential}) {
    const auto counts = Counts(choice, kRows);
    EXPECT_LT(counts.rbegin()->first, kRows);
    EXPECT_GT(counts.size(), kRows / 2);
  }
}

// What is inserted is asked for as soon as it is there, and no sooner.
TEST_F(MixChoice, AsYcsbAsksForInsertedRowsWhereTheOriginalDoes) {
  for (const Choice choice :
       {Choice::kZipfian, Choice::kLatest, Choice::kExponential}) {
    EXPECT_EQ(Counts(choice, kRows + 50).rbegin()->first, kRows + 49);
  }
  for (const Choice choice :
       {Choice::kUniform, Choice::kHotspot, Choice::kSequential}) {
    EXPECT_EQ(Counts(choice, kRows + 50).rbegin()->first, kRows - 1);
  }
}

TEST_F(MixChoice, AsYcsbLatestAsksMostForTheNewest) {
  auto counts = Counts(Choice::kLatest, kRows + 50);
  for (const auto& [row, count] : counts) {
    EXPECT_LE(count, counts[kRows + 49]) << row;
  }
}

// The original's scan lengths.
TEST_F(MixChoice, NumbersAreUniformOrTheSmallerTheMoreOften) {
  Draw draw;
  draw.low = 1;
  draw.high = 100;
  const auto mean = [&] {
    const RowChoice of(draw, values_, nullptr);
    Random random(1);
    double sum = 0;
    for (int i = 0; i < kDraws; ++i) {
      const uint64_t number = of.DrawNumber(random);
      EXPECT_GE(number, 1);
      EXPECT_LE(number, 100);
      sum += static_cast<double>(number);
    }
    return sum / kDraws;
  };
  EXPECT_NEAR(mean(), 50.5, 4 * 28.9 / std::sqrt(kDraws));
  draw.choice = Choice::kZipfian;
  EXPECT_NEAR(mean(), 19.6, 1);
  draw.ycsb = true;
  EXPECT_NEAR(mean(), 18.8, .5);
}

TEST_F(MixChoice, HotspotGivesAShareOfTheRowsAShareOfTheAccesses) {
  Draw draw = Of(Choice::kHotspot);
  draw.share = .1;
  draw.accesses = .7;
  int hot = 0;
  for (const auto& [row, count] : Counts(draw)) hot += row < 10 ? count : 0;
  EXPECT_NEAR(hot, .7 * kDraws, 600);
}

TEST_F(MixChoice, TurnsComeToAllRowsOnceBeforeOneComesAgain) {
  for (const Choice choice : {Choice::kSequential, Choice::kShuffled}) {
    const auto counts = Counts(Of(choice), 2 * kRows);
    EXPECT_EQ(counts.size(), kRows);
    for (const auto& [row, count] : counts) EXPECT_EQ(count, 2) << row;
  }
}

TEST_F(MixChoice, KnowsASubsetAndMissesOnPurpose) {
  Draw draw = Of(Choice::kUniform);
  draw.known = .2;
  EXPECT_EQ(Counts(draw).size(), 20);
  draw.known = 1;
  draw.first = 1;
  EXPECT_EQ(Counts(draw).size(), 1);
  draw.misses = .3;
  EXPECT_NEAR(Counts(draw)[UINT64_MAX], .3 * kDraws, 500);
}

TEST_F(MixChoice, TurnsEndWhereTakenRowsAreDeleted) {
  Mix mix = ReadWhole(kDeletes);
  TableState rows(mix.tables[2], 3, 3, 1);
  EXPECT_EQ(rows.Turn(3), 1);
  EXPECT_EQ(rows.Turn(3), 2);
  EXPECT_EQ(rows.Turn(3), std::nullopt);
  EXPECT_EQ(rows.Turn(4), 3);
}

TEST_F(MixChoice, TakesEachRowOnceWhereTakenRowsAreDeleted) {
  Mix mix = ReadWhole(kDeletes);
  Table& table = mix.tables[2];
  Draw draw = Of(Choice::kShuffled);
  draw.table = 2;
  for (const bool inserted : {false, true}) {
    table.inserted = inserted;
    for (const uint64_t first : {0, 10}) {
      draw.first = first;
      TableState rows(table, kRows, kRows, 0);
      const RowChoice choice(draw, values_, &rows);
      Random random(7);
      std::set<uint64_t> taken;
      const uint64_t last = first == 0 ? kRows : first;
      for (uint64_t i = 0; i < last; ++i) {
        taken.insert(choice.Draw(random).value_or(UINT64_MAX));
      }
      EXPECT_EQ(taken.size(), last);
      EXPECT_EQ(*taken.rbegin(), last - 1);
      // It may come to have rows, or never.
      EXPECT_EQ(choice.Draw(random).has_value(), inserted);
      rows.Acknowledge(rows.Take(1), 1);
      if (first == 0) {
        EXPECT_EQ(choice.Draw(random), kRows);
      }
    }
  }
}

TEST_F(MixChoice, TurnsComeAgainWhereDeletedRowsArePut) {
  Mix mix = ReadWhole(kPuts);
  mix.tables[0].deleted = true;
  TableState rows(mix.tables[0], 0, 0, 0);
  for (const uint64_t row : {0, 1, 2, 0}) EXPECT_EQ(rows.Turn(3), row);
}

}  // namespace
}  // namespace waltax::mix
