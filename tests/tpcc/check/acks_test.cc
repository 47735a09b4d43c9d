// What is read back of a file of --ack-log.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include "tests/temporary_file.h"
#include "tpcc/check/check.h"

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
  ASSERT_TRUE(
      Open()
          ->Acknowledge({order.w_id, order.d_id, order.o_id, order.c_id})
          .ok());
  EXPECT_EQ(Read(), std::vector{order});
}

TEST_F(AckLogs, ShowEachOrderToOtherProcessesAsSoonAsItIsAcknowledged) {
  const auto log = Open();
  ASSERT_TRUE(log->Acknowledge({1, 2, 3, 4}).ok());
  EXPECT_EQ(Read().size(), 1U);
}

TEST_F(AckLogs, DropALineThatWasOnlyHalfWritten) {
  Write("1 2 3001 44\n1 2 3002 5");
  const std::vector<AcknowledgedOrder> want = {{1, 2, 3001, 44}};
  EXPECT_EQ(Read(), want);
}

TEST_F(AckLogs, AreNotWrittenBehindWhatAFileHolds) {
  for (const std::string text : {"my thesis", "1 2 3001 44\n"}) {
    std::ofstream(file_.path(), std::ios::trunc) << text;
    std::unique_ptr<AckLog> log;
    const Status status = AckLog::Open(file_.path(), &log);
    EXPECT_EQ(status.exit_code(), 2);
    EXPECT_NE(status.message().find("want a new file"), std::string::npos);
    EXPECT_EQ(std::filesystem::file_size(file_.path()), text.size());
  }
}

// Lets no file grow beyond so many bytes, as a full device would.
class FullDevice {
 public:
  explicit FullDevice(rlim_t bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDevice() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(AckLogs, AppendNothingToALineThatWasWrittenInPart) {
  const auto log = Open();
  ASSERT_TRUE(log->Acknowledge({1, 2, 3001, 44}).ok());
  {
    const FullDevice full(15);
    EXPECT_FALSE(log->Acknowledge({1, 2, 3002, 55}).ok());
  }
  EXPECT_EQ(std::filesystem::file_size(file_.path()), 15U);
  EXPECT_FALSE(log->Acknowledge({1, 2, 3003, 66}).ok());
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
          EXPECT_TRUE(log->Acknowledge({w, 1, o, w * o}).ok());
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

TEST(AckLog, SaysWhyItCannotBeRead) {
  std::vector<AcknowledgedOrder> orders;
  const std::string directory = std::filesystem::temp_directory_path();
  const Status status = ReadAckLog(directory, &orders);
  EXPECT_EQ(status.exit_code(), 2);
  EXPECT_EQ(status.message(),
            "--acks: found " + directory +
                ", which cannot be read (Is a directory), want a file that "
                "--ack-log wrote");
  EXPECT_NE(ReadAckLog("/nowhere", &orders).message().find("No such file"),
            std::string::npos);
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
  EXPECT_FALSE(log->Acknowledge({1, 1, 1, 1}).ok());
}

}  // namespace
}  // namespace waltax::tpcc
