#include "driver/rocksdb/transaction_loop.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax {
namespace {

class TransactionLoopTest : public ::testing::Test {
 protected:
  // What the attempts return, the last one for ever.
  rocksdb::Status Run(TransactionLoop* loop,
                      std::vector<rocksdb::Status> outcomes) {
    size_t next = 0;
    return loop->Run(
        [&] {
          ++attempts_;
          const rocksdb::Status outcome = outcomes[next];
          if (next + 1 < outcomes.size()) ++next;
          return outcome;
        },
        &retries_);
  }
  TransactionLoop Loop(int max_retries) {
    return {database_.db(), database_.engine().write_options(), max_retries, 1};
  }
  std::string Get(const std::string& key) {
    std::string value;
    const rocksdb::Status status = database_.db()->Get({}, key, &value);
    return status.ok() ? value : status.ToString();
  }
  uint64_t Sequence() { return database_.db()->GetLatestSequenceNumber(); }

  TemporaryDatabase database_;
  uint32_t retries_ = 0;
  int attempts_ = 0;
};

TEST_F(TransactionLoopTest, CommitsWhatTheAttemptWrote) {
  TransactionLoop loop = Loop(0);
  const rocksdb::Status status = loop.Run(
      [&] {
        const rocksdb::Status put = loop.transaction().Put("locked", "1");
        return put.ok() ? loop.batch().Put("unlocked", "2") : put;
      },
      &retries_);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Get("locked"), "1");
  EXPECT_EQ(Get("unlocked"), "2");
  EXPECT_EQ(retries_, 0U);
}

TEST_F(TransactionLoopTest, CommitsNothingForAnAttemptThatWroteNothing) {
  TransactionLoop loop = Loop(0);
  const uint64_t before = Sequence();
  EXPECT_TRUE(Run(&loop, {rocksdb::Status::OK()}).ok());
  EXPECT_EQ(Sequence(), before);
}

TEST_F(TransactionLoopTest, CommitsNothingForAnAttemptThatRolledBackItself) {
  TransactionLoop loop = Loop(0);
  const rocksdb::Status status = loop.Run(
      [&] {
        EXPECT_TRUE(loop.transaction().Put("key", "value").ok());
        return loop.transaction().Rollback();
      },
      &retries_);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Get("key"), rocksdb::Status::NotFound().ToString());
}

TEST_F(TransactionLoopTest, CountsEachConflict) {
  TransactionLoop loop = Loop(10);
  const rocksdb::Status status =
      Run(&loop, {rocksdb::Status::Busy(), rocksdb::Status::TimedOut(),
                  rocksdb::Status::TimedOut(),
                  rocksdb::Status::Busy(rocksdb::Status::SubCode::kDeadlock),
                  rocksdb::Status::Aborted(), rocksdb::Status::TryAgain(),
                  rocksdb::Status::OK()});
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(attempts_, 7);
  EXPECT_EQ(retries_, 6U);
}

TEST_F(TransactionLoopTest, GivesUpAfterSoManyRetries) {
  TransactionLoop loop = Loop(3);
  EXPECT_TRUE(Run(&loop, {rocksdb::Status::Busy()}).IsBusy());
  EXPECT_EQ(attempts_, 4);
  EXPECT_EQ(retries_, 3U);  // the last conflict was not tried again
}

TEST_F(TransactionLoopTest, DoesNotRetryWhatIsNoConflict) {
  TransactionLoop loop = Loop(3);
  EXPECT_TRUE(Run(&loop, {rocksdb::Status::IOError()}).IsIOError());
  EXPECT_EQ(attempts_, 1);
  EXPECT_EQ(retries_, 0U);
}

TEST_F(TransactionLoopTest, RetriesFromAFreshTransaction) {
  TransactionLoop loop = Loop(1);
  const rocksdb::Status status = loop.Run(
      [&] {
        const std::string key = "attempt " + std::to_string(++attempts_);
        EXPECT_TRUE(loop.transaction().Put(key, "value").ok());
        return attempts_ == 1 ? rocksdb::Status::Busy() : rocksdb::Status::OK();
      },
      &retries_);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Get("attempt 1"), rocksdb::Status::NotFound().ToString());
  EXPECT_EQ(Get("attempt 2"), "value");
}

TEST_F(TransactionLoopTest, MeetsAWriteBehindItsSnapshotAndGetsThroughAfterIt) {
  TransactionLoop loop = Loop(5);
  const rocksdb::Status status = loop.Run(
      [&] {
        loop.transaction().SetSnapshot();
        if (++attempts_ == 1) {
          EXPECT_TRUE(database_.db()->Put({}, "key", "another's").ok());
        }
        return loop.transaction().Put("key", "mine");
      },
      &retries_);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(retries_, 1U);
  EXPECT_EQ(Get("key"), "mine");
}

TEST_F(TransactionLoopTest, KeepsNoLockWhenItGaveUp) {
  TransactionLoop loop = Loop(0);
  const rocksdb::Status status = loop.Run(
      [&] {
        EXPECT_TRUE(loop.transaction().Put("key", "value").ok());
        return rocksdb::Status::Busy();
      },
      &retries_);
  EXPECT_TRUE(status.IsBusy());
  EXPECT_TRUE(database_.db()->Put({}, "key", "another's").ok());
}

TEST_F(TransactionLoopTest, TimesOutAtALockThatIsHeld) {
  const std::unique_ptr<rocksdb::Transaction> holder(
      database_.db()->BeginTransaction({}));
  ASSERT_TRUE(holder->Put("key", "held").ok());
  TransactionLoop loop = Loop(1);
  const rocksdb::Status status = loop.Run(
      [&] { return loop.transaction().Put("key", "value"); }, &retries_);
  EXPECT_TRUE(status.IsTimedOut()) << status.ToString();
  EXPECT_EQ(retries_, 1U);
}

}  // namespace
}  // namespace waltax
