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

TEST(Findings, ListTwentyViolationsAndTheirNumber) {
  Findings findings;
  for (int i = 0; i < 20; ++i) findings.Violation(std::to_string(i));
  CheckResult result;
  EXPECT_TRUE(findings.Take(&result).ok());
  EXPECT_EQ(result.violations.size(), 20U);

  Findings more;
  for (int i = 0; i < 21; ++i) more.Violation(std::to_string(i));
  EXPECT_TRUE(more.Take(&result).ok());
  ASSERT_EQ(result.violations.size(), 21U);
  EXPECT_EQ(result.violations[19], "19");
  EXPECT_EQ(result.violations[20], "21 violations in all");
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
