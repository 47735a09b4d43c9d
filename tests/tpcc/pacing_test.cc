#include "tpcc/pacing.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace waltax::tpcc {
namespace {

using std::chrono::duration;
using std::chrono::nanoseconds;
using std::chrono::seconds;

double Seconds(nanoseconds pause) { return duration<double>(pause).count(); }

TEST(Pacing, BeginsWithKeyingAlone) {
  const std::array<int, kOps> keying_s = {18, 3, 2, 2, 2};
  for (size_t op = 0; op < kOps; ++op) {
    Pacing pacing(Random(1));
    EXPECT_EQ(pacing.PauseBefore(static_cast<Op>(op)), seconds(keying_s[op]));
  }
}

TEST(Pacing, ThinksAboutThePreviousTransactionAsLongAsTheClauseSays) {
  constexpr int kPauses = 100'000;
  const std::array<double, kOps> mean_think_s = {12, 12, 10, 5, 5};
  for (size_t op = 0; op < kOps; ++op) {
    Pacing pacing(Random(1));
    double sum_s = 0;
    for (int i = 0; i < kPauses; ++i) {
      (void)pacing.PauseBefore(static_cast<Op>(op));
      sum_s += Seconds(pacing.PauseBefore(Op::kPayment)) - 3;
      pacing = Pacing(Random(static_cast<uint64_t>(i) + 2));
    }
    // An exponential's standard deviation is its mean.
    EXPECT_NEAR(sum_s / kPauses, mean_think_s[op],
                5 * mean_think_s[op] / std::sqrt(kPauses));
  }
}

TEST(Pacing, ThinksForTenTimesTheMeanAtMost) {
  Pacing pacing(Random(1));
  double longest_s = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    longest_s =
        std::max(longest_s, Seconds(pacing.PauseBefore(Op::kDelivery)) - 2);
  }
  EXPECT_NEAR(longest_s, 50, 1e-6);
}

}  // namespace
}  // namespace waltax::tpcc
