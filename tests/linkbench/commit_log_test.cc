#include "linkbench/commit_log.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/temporary_file.h"

namespace waltax::linkbench {
namespace {

Change AddedLink() { return {{true, 1, 7, 5}, StateOf(10, "new")}; }
Change HiddenLink() { return {{true, 1, 7, 5}, RowState::kHidden}; }
Change UpdatedNode() { return {{false, 3, 0, 0}, StateOf(20, "node")}; }
Change NewNode() { return {{}, StateOf(30, "fresh")}; }

class CommitLogs : public ::testing::Test {
 protected:
  std::unique_ptr<CommitLog> Open() {
    std::unique_ptr<CommitLog> log;
    const Status status = CommitLog::Open(file_.path(), &log);
    EXPECT_TRUE(status.ok()) << status.message();
    return log;
  }
  std::vector<LoggedWrite> Read() {
    std::vector<LoggedWrite> writes;
    const Status status = ReadCommitLog(file_.path(), &writes);
    EXPECT_TRUE(status.ok()) << status.message();
    return writes;
  }
  void Write(const std::string& text) {
    std::ofstream(file_.path(), std::ios::app) << text;
  }

  TemporaryFile file_;
};

TEST_F(CommitLogs, SayOfAWriteWhichRowItChangedAndWhatItMadeOfIt) {
  const auto log = Open();
  for (const Change& change : {AddedLink(), HiddenLink(), UpdatedNode()}) {
    uint64_t number = 0;
    ASSERT_TRUE(log->Begin(change, &number).ok());
    ASSERT_TRUE(log->Committed(number).ok());
  }
  const std::vector<LoggedWrite> writes = Read();
  ASSERT_EQ(writes.size(), 3U);
  EXPECT_EQ(writes[0].change.row, AddedLink().row);
  EXPECT_EQ(writes[0].change.state, AddedLink().state);
  EXPECT_EQ(writes[1].change.state, RowState::kHidden);
  EXPECT_EQ(writes[2].change.row, UpdatedNode().row);
  EXPECT_EQ(writes[2].number, 2U);
}

TEST_F(CommitLogs, TellWritesThatFollowedFromWritesThatOverlapped) {
  const auto log = Open();
  uint64_t first = 0;
  uint64_t second = 0;
  ASSERT_TRUE(log->Begin(AddedLink(), &first).ok());
  ASSERT_TRUE(log->Begin(HiddenLink(), &second).ok());
  ASSERT_TRUE(log->Committed(second).ok());
  ASSERT_TRUE(log->Committed(first).ok());
  uint64_t third = 0;
  ASSERT_TRUE(log->Begin(AddedLink(), &third).ok());
  const std::vector<LoggedWrite> writes = Read();
  ASSERT_EQ(writes.size(), 3U);
  EXPECT_LT(writes[1].begin, writes[0].end.value_or(0));
  EXPECT_GT(writes[2].begin, writes[0].end.value_or(9));
  EXPECT_EQ(writes[1].number, 0U);
  EXPECT_EQ(writes[0].number, 1U);
  EXPECT_FALSE(writes[2].end);
}

TEST_F(CommitLogs, GiveANewNodeTheIdThatItsCommitTold) {
  const auto log = Open();
  uint64_t told = 0;
  uint64_t untold = 0;
  ASSERT_TRUE(log->Begin(NewNode(), &told).ok());
  ASSERT_TRUE(log->Begin(NewNode(), &untold).ok());
  ASSERT_TRUE(log->Committed(told, 4711).ok());
  const std::vector<LoggedWrite> writes = Read();
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(writes[0].change.row.id1, 4711U);
}

TEST_F(CommitLogs, AreContinuedBehindTheLastWholeLine) {
  Write("? 0 node 3 00000000000000ff\n= 0 0\n? 1 li");
  Open();
  ASSERT_EQ(Read().size(), 1U);
  EXPECT_EQ(std::filesystem::file_size(file_.path()), 34U);
}

TEST_F(CommitLogs, RefuseALineThatIsNotOne) {
  for (const std::string line :
       {"1 1 3001 7\n", "? 0 node 3\n", "= 1\n", "? 0 link 1 2 3\n"}) {
    std::ofstream(file_.path(), std::ios::trunc) << line;
    std::vector<LoggedWrite> writes;
    const Status status = ReadCommitLog(file_.path(), &writes);
    EXPECT_EQ(status.exit_code(), 2) << line;
    EXPECT_NE(status.message().find("line 1"), std::string::npos) << line;
    std::unique_ptr<CommitLog> log;
    EXPECT_EQ(CommitLog::Open(file_.path(), &log).exit_code(), 2) << line;
  }
}

TEST(RowStates, DifferByTimeAndByData) {
  EXPECT_EQ(StateOf(1, "a"), StateOf(1, "a"));
  EXPECT_NE(StateOf(1, "a"), StateOf(2, "a"));
  EXPECT_NE(StateOf(1, "a"), StateOf(1, "b"));
}

}  // namespace
}  // namespace waltax::linkbench
