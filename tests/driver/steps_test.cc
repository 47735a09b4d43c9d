#include "driver/steps.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>

namespace waltax {
namespace {

TEST(Steps, AreDoneOnceEach) {
  std::array<std::atomic<int>, 50> done{};
  ASSERT_TRUE(RunSteps(4, done.size(), [&](uint64_t number) {
                ++done[number];
                return Status::Ok();
              }).ok());
  for (const auto& times : done) EXPECT_EQ(times, 1);
}

TEST(Steps, EndWithTheFirstFailure) {
  int done = 0;
  const Status status = RunSteps(1, 50, [&](uint64_t number) {
    ++done;
    return number == 10 ? Status::Failed("the eleventh") : Status::Ok();
  });
  EXPECT_EQ(status.message(), "the eleventh");
  EXPECT_EQ(done, 11);
}

TEST(Steps, AreNotBegunWhereAThreadCannotBegin) {
  int done = 0;
  const Status status =
      RunSteps({.threads = 1, .count = 5, .begin = [&](Step* step) {
                  *step = [&](uint64_t) {
                    ++done;
                    return Status::Ok();
                  };
                  return Status::Failed("no connection");
                }});
  EXPECT_EQ(status.message(), "no connection");
  EXPECT_EQ(done, 0);
}

}  // namespace
}  // namespace waltax
