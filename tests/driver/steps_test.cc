#include "driver/steps.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

namespace waltax {
namespace {

TEST(Steps, AreDoneOnceEach) {
  std::array<std::atomic<int>, 50> done{};
  ASSERT_TRUE(RunSteps(4, done.size(), [&](uint64_t number, int /*thread*/) {
                ++done[number];
                return Status::Ok();
              }).ok());
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

TEST(Steps, EndWithTheFirstFailure) {
  int done = 0;
  const Status status = RunSteps(1, 50, [&](uint64_t number, int /*thread*/) {
    ++done;
    return number == 10 ? Status::Failed("the eleventh") : Status::Ok();
  });
  EXPECT_EQ(status.message(), "the eleventh");
  EXPECT_EQ(done, 11);
}

TEST(Steps, KnowTheirThread) {
  std::array<std::atomic<int>, 3> busy{};
  ASSERT_TRUE(RunSteps(3, 60, [&](uint64_t /*number*/, int thread) {
                const bool alone = ++busy.at(thread) == 1;
                --busy.at(thread);
                return alone ? Status::Ok() : Status::Failed("two at a time");
              }).ok());
}

}  // namespace
}  // namespace waltax
