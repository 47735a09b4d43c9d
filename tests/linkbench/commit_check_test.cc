#include "linkbench/commit_check.h"

#include <gtest/gtest.h>

#include "linkbench/requests.h"
#include "tests/linkbench/memory/store.h"

namespace waltax::linkbench {
namespace {

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
    result_ = {};
    EXPECT_TRUE(CheckCommits(writes, session_.get(), &result_).ok());
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
