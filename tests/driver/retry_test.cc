#include "driver/retry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace waltax {
namespace {

struct Tried {
  int code = 0;
  [[nodiscard]] bool ok() const { return code == 0; }
};

constexpr int kConflict = 1;
constexpr int kBroken = 2;

class RetryLoopTest : public ::testing::Test {
 protected:
  Tried Run(int max_retries, const std::vector<int>& codes,
            std::chrono::nanoseconds longest = kLongestTransaction) {
    RetryLoop loop(max_retries, 1, longest);
    return loop.Run(
        [&] {
          const size_t at = std::min<size_t>(attempts_++, codes.size() - 1);
          return Tried{codes[at]};
        },
        [](const Tried& outcome) { return outcome.code == kConflict; },
        &retries_);
  }
  size_t attempts_ = 0;
  uint32_t retries_ = 0;
};

TEST_F(RetryLoopTest, TriesOnceWhatSucceeds) {
  EXPECT_TRUE(Run(5, {0}).ok());
  EXPECT_EQ(attempts_, 1U);
  EXPECT_EQ(retries_, 0U);
}

TEST_F(RetryLoopTest, TriesAConflictAgainUntilItSucceeds) {
  EXPECT_TRUE(Run(5, {kConflict, kConflict, 0}).ok());
  EXPECT_EQ(attempts_, 3U);
  EXPECT_EQ(retries_, 2U);
}

TEST_F(RetryLoopTest, ReturnsWhatIsNoConflict) {
  EXPECT_EQ(Run(5, {kConflict, kBroken, 0}).code, kBroken);
  EXPECT_EQ(attempts_, 2U);
}

TEST_F(RetryLoopTest, CountsOnlyWhatIsTriedAgain) {
  EXPECT_EQ(Run(2, {kConflict}).code, kConflict);
  EXPECT_EQ(attempts_, 3U);
  EXPECT_EQ(retries_, 2U);
}

TEST_F(RetryLoopTest, TriesNothingAgainOnceItsTimeIsOver) {
  EXPECT_EQ(Run(5, {kConflict, 0}, std::chrono::seconds(0)).code, kConflict);
  EXPECT_EQ(attempts_, 1U);
  EXPECT_EQ(retries_, 0U);
}

TEST_F(RetryLoopTest, TriesOnceWithoutRetries) {
  EXPECT_EQ(Run(0, {kConflict}).code, kConflict);
  EXPECT_EQ(attempts_, 1U);
  EXPECT_EQ(retries_, 0U);
}

}  // namespace
}  // namespace waltax
