#include "linkbench/commits.h"

#include <gtest/gtest.h>

#include <fstream>

#include "linkbench/requests.h"
#include "tests/linkbench/memory/store.h"
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

TEST_F(CommitLogs, RefuseALineThatIsNotOne) {
  for (const std::string line :
       {"1 1 3001 7\n", "? 0 0 3\n", "1\n", "? 0 1 1 2 3\n", "0 x\n"}) {
    std::ofstream(file_.path(), std::ios::trunc) << line;
    std::vector<LoggedWrite> writes;
    const Status status = ReadCommitLog(file_.path(), &writes);
    EXPECT_EQ(status.exit_code(), 2) << line;
    EXPECT_NE(status.message().find("line 1"), std::string::npos) << line;
  }
}

TEST(RowStates, DifferByTimeAndByData) {
  EXPECT_EQ(StateOf(1, "a"), StateOf(1, "a"));
  EXPECT_NE(StateOf(1, "a"), StateOf(2, "a"));
  EXPECT_NE(StateOf(1, "a"), StateOf(1, "b"));
}

constexpr LinkKey kKeyOfRow = {1, 7, 5};
constexpr RowKey kRow = {true, 1, 7, 5};

// What the check finds of a log, in a store of which the test says what it has.
class CommitChecks : public ::testing::Test {
 protected:
  void Put(uint64_t time, std::string_view data) {
    EXPECT_EQ(session_->AddLink(kKeyOfRow, {true, 0, time, data}).error,
              nullptr);
  }
  Acknowledged Check(const std::vector<LoggedWrite>& writes) {
    Findings findings;
    CheckCommits(writes, session_.get(), &findings);
    EXPECT_TRUE(findings.Take(&result_).ok());
    EXPECT_TRUE(result_.acknowledged);
    const Acknowledged found = result_.acknowledged.value_or(Acknowledged());
    EXPECT_EQ(result_.violation_count, found.lost);
    return found;
  }

  MemoryStore store_{100};
  std::unique_ptr<Session> session_ = store_.NewSession(1);
  CheckResult result_;
};

LoggedWrite Written(RowState state, uint64_t begin, std::optional<uint64_t> end,
                    uint64_t number = 0, RowKey row = kRow) {
  return {{row, state}, begin, end, number};
}

TEST_F(CommitChecks, FindTheLastWriteOfARow) {
  Put(20, "new");
  const Acknowledged found = Check({Written(StateOf(10, "old"), 0, 1, 0),
                                    Written(StateOf(20, "new"), 2, 3, 1)});
  EXPECT_EQ(found.count, 2U);
  EXPECT_EQ(found.lost, 0U);
}

TEST_F(CommitChecks, CallAWriteLostWhenTheRowIsThatOfOneThatHadEnded) {
  Put(10, "old");
  const Acknowledged found = Check({Written(StateOf(10, "old"), 0, 1, 0),
                                    Written(StateOf(20, "new"), 2, 3, 1),
                                    Written(StateOf(30, "last"), 4, 5, 2)});
  EXPECT_EQ(found.lost, 2U);
  EXPECT_EQ(found.oldest_lost, 1U);
  EXPECT_EQ(result_.violations.front(),
            "acknowledged: link: id1 1 type 7 id2 5: write 1 is lost, the row "
            "is that of 0");
}

TEST_F(CommitChecks, CallAllLostWhenTheRowIsAsBeforeThem) {
  Put(1, "loaded");
  EXPECT_EQ(Check({Written(StateOf(10, "a"), 0, 1, 0),
                   Written(StateOf(20, "b"), 2, 3, 1)})
                .lost,
            2U);
}

TEST_F(CommitChecks, TakeEitherOfTwoWritesThatOverlapped) {
  for (const uint64_t time : {10, 20}) {
    Put(time, "any");
    EXPECT_EQ(Check({Written(StateOf(10, "any"), 0, 3, 1),
                     Written(StateOf(20, "any"), 1, 2, 0)})
                  .lost,
              0U);
  }
}

TEST_F(CommitChecks, TakeAWriteOfWhichNobodyWasTold) {
  Put(20, "new");
  EXPECT_EQ(Check({Written(StateOf(10, "old"), 0, 1, 0),
                   Written(StateOf(20, "new"), 2, {})})
                .lost,
            0U);
}

TEST_F(CommitChecks, TellAHiddenLinkFromAnAbsentOne) {
  const std::vector<LoggedWrite> writes = {Written(StateOf(10, "a"), 0, 1, 0),
                                           Written(RowState::kHidden, 2, 3, 1)};
  EXPECT_EQ(Check(writes).lost, 2U);
  Put(10, "a");
  EXPECT_EQ(Check(writes).lost, 1U);
  session_->DeleteLink(kKeyOfRow, 99);
  EXPECT_EQ(Check(writes).lost, 0U);
}

TEST_F(CommitChecks, LookAtNodesByTheirNumber) {
  uint64_t id = 0;
  session_->AddNode({kNodeType, 1, 30, "node"}, &id);
  const RowKey node = {false, id, 0, 0};
  EXPECT_EQ(Check({Written(StateOf(30, "node"), 0, 1, 0, node)}).lost, 0U);
  EXPECT_EQ(Check({Written(RowState::kAbsent, 0, 1, 0, node)}).lost, 1U);
  session_->DeleteNode(id, kNodeType);
  EXPECT_EQ(Check({Written(RowState::kAbsent, 0, 1, 0, node)}).lost, 0U);
}

TEST_F(CommitChecks, CountTheRowsThatTheyLookedAt) {
  Check({Written(StateOf(10, "a"), 0, {})});
  EXPECT_EQ(result_.counted.back(),
            (std::pair<std::string, uint64_t>{"acknowledged rows", 1}));
}

}  // namespace
}  // namespace waltax::linkbench
