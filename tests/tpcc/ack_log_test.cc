#include "tpcc/ack_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "tests/tpcc/temporary_file.h"

namespace waltax::tpcc {
namespace {

class AckLogs : public ::testing::Test {
 protected:
  std::unique_ptr<AckLog> Open() {
    std::unique_ptr<AckLog> log;
    const Status status = AckLog::Open(file_.path(), &log);
    EXPECT_TRUE(status.ok()) << status.message();
    return log;
  }
  std::vector<AcknowledgedOrder> Read() {
    std::vector<AcknowledgedOrder> orders;
    const Status status = ReadAckLog(file_.path(), &orders);
    EXPECT_TRUE(status.ok()) << status.message();
    return orders;
  }
  void Write(const std::string& text) {
    std::ofstream(file_.path(), std::ios::app) << text;
  }

  TemporaryFile file_;
};

TEST_F(AckLogs, ReadBackWhatWasAcknowledged) {
  const AcknowledgedOrder order = {123, 10, 4567, 3000};
  ASSERT_TRUE(Open()->Append(order).ok());
  EXPECT_EQ(Read(), std::vector{order});
}

TEST_F(AckLogs, HaveEachOrderOnDiskAsSoonAsItIsAcknowledged) {
  const auto log = Open();
  ASSERT_TRUE(log->Append({1, 2, 3, 4}).ok());
  EXPECT_EQ(Read().size(), 1U);
}

TEST_F(AckLogs, ContinueAfterARestart) {
  ASSERT_TRUE(Open()->Append({1, 1, 3001, 1}).ok());
  ASSERT_TRUE(Open()->Append({1, 1, 3002, 2}).ok());
  EXPECT_EQ(Read().size(), 2U);
}

TEST_F(AckLogs, DropALineThatWasOnlyHalfWritten) {
  Write("1 2 3001 44\n1 2 3002 5");
  const std::vector<AcknowledgedOrder> want = {{1, 2, 3001, 44}};
  EXPECT_EQ(Read(), want);
}

TEST_F(AckLogs, AreEmptyWhenTheFirstLineIsHalfWritten) {
  Write("1 2 30");
  EXPECT_TRUE(Read().empty());
}

TEST_F(AckLogs, RefuseALineThatIsNotOne) {
  Write("1 2 3001 44\n1 2 3002\n1 2 3003 4\n");
  std::vector<AcknowledgedOrder> orders;
  const Status status = ReadAckLog(file_.path(), &orders);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("line 2"), std::string::npos);
}

TEST_F(AckLogs, KeepTheLinesOfManyThreadsWhole) {
  const auto log = Open();
  {
    std::vector<std::jthread> threads;
    for (uint32_t w = 1; w <= 4; ++w) {
      threads.emplace_back([&, w] {
        for (uint32_t o = 1; o <= 1000; ++o) {
          EXPECT_TRUE(log->Append({w, 1, o, w * o}).ok());
        }
      });
    }
  }
  const std::vector<AcknowledgedOrder> orders = Read();
  EXPECT_EQ(orders.size(), 4000U);
  EXPECT_TRUE(std::all_of(orders.begin(), orders.end(),
                          [](const AcknowledgedOrder& order) {
                            return order.c_id == order.w_id * order.o_id;
                          }));
}

TEST(AckLog, SaysWhichFileCannotBeWritten) {
  std::unique_ptr<AckLog> log;
  const Status status = AckLog::Open("/nowhere/acks", &log);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_NE(status.message().find("/nowhere/acks"), std::string::npos);
}

TEST(AckLog, SaysSoWhenTheDeviceIsFull) {
  std::unique_ptr<AckLog> log;
  ASSERT_TRUE(AckLog::Open("/dev/full", &log).ok());
  EXPECT_FALSE(log->Append({1, 1, 1, 1}).ok());
}

}  // namespace
}  // namespace waltax::tpcc
