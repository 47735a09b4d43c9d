#include "driver/findings.h"

#include <gtest/gtest.h>

#include <thread>

namespace waltax {
namespace {

using Counted = std::vector<std::pair<std::string, uint64_t>>;

TEST(Findings, AddUpWhatTheThreadsLookedAt) {
  Findings findings;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&findings] {
      for (int row = 0; row < 1000; ++row) findings.Count("rows", 1);
      findings.Count("tables", 2);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CheckResult result;
  EXPECT_TRUE(findings.Take(&result).ok());
  EXPECT_EQ(result.counted, (Counted{{"rows", 4000}, {"tables", 8}}));
  EXPECT_TRUE(result.violations.empty());
}

TEST(Findings, NameWhatWasLookedAtWithoutAnyRows) {
  Findings findings;
  findings.Count("rows", 0);
  CheckResult result;
  EXPECT_TRUE(findings.Take(&result).ok());
  EXPECT_EQ(result.counted, (Counted{{"rows", 0}}));
}

TEST(Findings, ListTheFirstFiveViolationsOfEachKindAndCountThemAll) {
  Findings findings;
  for (int i = 9; i >= 0; --i) {
    findings.Violation("rows: row " + std::to_string(i) + " is missing");
  }
  findings.Violation("index: row 7 is missing");
  CheckResult result;
  EXPECT_TRUE(findings.Take(&result).ok());
  EXPECT_EQ(result.violation_count, 11U);
  const std::vector<std::string> want = {
      "index: row 7 is missing", "rows: row 0 is missing",
      "rows: row 1 is missing",  "rows: row 2 is missing",
      "rows: row 3 is missing",  "rows: row 4 is missing"};
  EXPECT_EQ(result.violations, want);
}

TEST(Findings, ListEqualSentencesAsOftenAsTheyAreFound) {
  Findings findings;
  findings.Violation("rows: row 1 is missing");
  findings.Violation("rows: row 1 is missing");
  CheckResult result;
  EXPECT_TRUE(findings.Take(&result).ok());
  EXPECT_EQ(result.violations.size(), 2U);
}

TEST(Findings, KeepTheFirstFailure) {
  Findings findings;
  EXPECT_FALSE(findings.failed());
  findings.Fail(Status::Failed("first"));
  findings.Fail(Status::Failed("second"));
  EXPECT_TRUE(findings.failed());
  CheckResult result;
  EXPECT_EQ(findings.Take(&result).message(), "first");
}

}  // namespace
}  // namespace waltax
