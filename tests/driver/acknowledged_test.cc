#include "driver/acknowledged.h"

#include <gtest/gtest.h>

namespace waltax {
namespace {

TEST(AcknowledgedCounter, ShowsSeveralNumbersOnceAllBeforeThemAreThere) {
  AcknowledgedCounter counter(1);
  EXPECT_EQ(counter.Take(3), 1);
  EXPECT_EQ(counter.Take(), 4);
  EXPECT_EQ(counter.Take(2), 5);
  counter.Acknowledge(5, 2);
  counter.Acknowledge(1, 3);
  EXPECT_EQ(counter.last(), 3);
  EXPECT_EQ(counter.Doubtful(), (std::vector<uint64_t>{4}));
  counter.Acknowledge(4);
  EXPECT_EQ(counter.last(), 6);
  EXPECT_TRUE(counter.Doubtful().empty());
}

}  // namespace
}  // namespace waltax
