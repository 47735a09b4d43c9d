#include "tpcc/options.h"

#include <gtest/gtest.h>

namespace waltax::tpcc {
namespace {

RunFlags Threads(int threads, double rate = 0) {
  RunFlags run;
  run.threads = threads;
  run.rate = rate;
  return run;
}

TEST(Options, TakeTheWarehousesOfTheDataSetAndATerminalForEachThread) {
  Options options;
  ASSERT_TRUE(Resolve(Threads(4), 10, &options).ok());
  EXPECT_EQ(options.warehouses, 10U);
  EXPECT_EQ(options.terminals, 4);
}

TEST(Options, RefuseAnotherNumberOfWarehousesThanTheDataSetsWithBothNumbers) {
  Options options;
  options.warehouses = 7;
  const Status status = Resolve(Threads(1), 10, &options);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--warehouses: found 7, want 10, which the data set has");
}

TEST(Options, RefuseTerminalsThatCannotBeSharedOutEqually) {
  Options options;
  options.terminals = 3;
  Status status = Resolve(Threads(4), 1, &options);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--terminals: found 3, want a multiple of 4 threads: 4");
  options.terminals = 15;
  status = Resolve(Threads(4), 1, &options);
  EXPECT_EQ(status.message(),
            "--terminals: found 15, want a multiple of 4 threads: 12 or 16");
  options.terminals = 40;
  EXPECT_TRUE(Resolve(Threads(4), 1, &options).ok());
}

}  // namespace
}  // namespace waltax::tpcc
