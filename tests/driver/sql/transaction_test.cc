#include "driver/sql/transaction.h"

#include <functional>
#include <thread>

#include "tests/driver/sql/relay.h"
#include "tests/driver/sql/server.h"

namespace waltax::mariadb {
namespace {

constexpr char kTouch[] = "UPDATE t SET n = n + 1 WHERE id = ";

class TransactionTest : public ServerTest {
 protected:
  TransactionTest() {
    CreateTable("t", "id INT PRIMARY KEY, n INT");
    MustExecute(*connection_, "INSERT INTO t VALUES (1, 0), (2, 0)");
    // Both engines' own limit is in whole seconds.
    const std::string limit = TestEngine() == "innodb"
                                  ? "innodb_lock_wait_timeout"
                                  : "rocksdb_lock_wait_timeout";
    for (Connection* session : {mine_.get(), other_.get()}) {
      MustExecute(*session, "SET SESSION " + limit + " = 1");
    }
    MustExecute(*other_, "SET SESSION autocommit = 0");
  }
  SqlStatus Touch(Connection& session, int id) {
    return session.Execute(kTouch + std::to_string(id));
  }
  std::string Values() {
    return Ask(*connection_, "SELECT GROUP_CONCAT(n ORDER BY id) FROM t");
  }

  std::unique_ptr<Connection> mine_ = Connect(flags_);
  std::unique_ptr<Connection> other_ = Connect(flags_);
  uint32_t retries_ = 0;
  int attempts_ = 0;
};

TEST_F(TransactionTest, CommitsWhatTheAttemptDid) {
  Transaction transaction(mine_.get(), 0, 1);
  const SqlStatus status = transaction.Run(
      [&] {
        EXPECT_TRUE(Touch(*mine_, 1).ok());
        EXPECT_EQ(Values(), "0,0");  // nobody sees it yet
        return Touch(*mine_, 2);
      },
      &retries_);
  EXPECT_TRUE(status.ok()) << ToString(status);
  EXPECT_EQ(Values(), "1,1");
  EXPECT_EQ(retries_, 0U);
}

TEST_F(TransactionTest, UndoesAnAttemptThatFailedForGood) {
  Transaction transaction(mine_.get(), 5, 1);
  const SqlStatus status = transaction.Run(
      [&] {
        ++attempts_;
        EXPECT_TRUE(Touch(*mine_, 1).ok());
        return mine_->Execute("INSERT INTO t VALUES (2, 0)");
      },
      &retries_);
  EXPECT_EQ(status.code, 1062U);
  EXPECT_EQ(attempts_, 1);
  EXPECT_EQ(Values(), "0,0");
  EXPECT_FALSE(mine_->InTransaction());
}

TEST_F(TransactionTest, CommitsNothingAfterAnAttemptThatRolledBackItself) {
  Transaction transaction(mine_.get(), 0, 1);
  const auto commits = [&] {
    return Ask(*mine_,
               "SELECT variable_value FROM information_schema.session_status "
               "WHERE variable_name = 'Com_commit'");
  };
  const std::string before = commits();
  const SqlStatus status = transaction.Run(
      [&] {
        EXPECT_TRUE(Touch(*mine_, 1).ok());
        return transaction.Rollback();
      },
      &retries_);
  EXPECT_TRUE(status.ok()) << ToString(status);
  EXPECT_TRUE(transaction.Run([] { return SqlStatus(); }, &retries_).ok());
  EXPECT_EQ(Values(), "0,0");
  EXPECT_EQ(commits(), before);
  EXPECT_TRUE(
      transaction.Run([&] { return Touch(*mine_, 1); }, &retries_).ok());
  EXPECT_NE(commits(), before);  // what was done is committed, and counted
}

TEST_F(TransactionTest, TriesAgainAfterALockTimeoutWithoutTheLocksItHad) {
  ASSERT_TRUE(Touch(*other_, 2).ok());
  Transaction transaction(mine_.get(), 3, 1);
  const SqlStatus status = transaction.Run(
      [&] {
        if (++attempts_ == 2) {
          // The first attempt's lock on row 1 is gone, and its change.
          EXPECT_TRUE(Touch(*other_, 1).ok());
          MustExecute(*other_, "COMMIT");
        }
        const SqlStatus first = Touch(*mine_, 1);
        return first.ok() ? Touch(*mine_, 2) : first;
      },
      &retries_);
  EXPECT_TRUE(status.ok()) << ToString(status);
  EXPECT_EQ(attempts_, 2);
  EXPECT_EQ(retries_, 1U);
  EXPECT_EQ(Values(), "2,2");
}

TEST_F(TransactionTest, GivesUpAfterSoManyRetriesAndKeepsNoLock) {
  ASSERT_TRUE(Touch(*other_, 2).ok());
  Transaction transaction(mine_.get(), 1, 1);
  const SqlStatus status = transaction.Run(
      [&] {
        ++attempts_;
        const SqlStatus first = Touch(*mine_, 1);
        return first.ok() ? Touch(*mine_, 2) : first;
      },
      &retries_);
  EXPECT_EQ(status.code, 1205U);
  EXPECT_EQ(attempts_, 2);
  EXPECT_EQ(retries_, 1U);  // the last one was not tried again
  EXPECT_TRUE(Touch(*other_, 1).ok());
}

TEST_F(TransactionTest, TriesAgainAfterADeadlock) {
  if (TestEngine() == "myrocks") {
    MustExecute(*connection_, "SET GLOBAL rocksdb_deadlock_detect = 1");
  }
  // A circle that closes late must not pass for a long wait.
  const GlobalSetting wait(flags_, LockWaitVariable(), 50);
  mine_ = Connect(flags_);
  other_ = Connect(flags_);
  MustExecute(*other_, "SET SESSION autocommit = 0");
  Transaction transaction(mine_.get(), 10, 1);
  std::thread thread;
  const SqlStatus status = transaction.Run(
      [&] {
        if (++attempts_ == 1) {
          EXPECT_TRUE(Touch(*other_, 2).ok());
        }
        const SqlStatus first = Touch(*mine_, 1);
        if (!first.ok()) return first;
        if (attempts_ == 1) {
          // Waits for row 1 until this transaction is over.
          thread = std::thread([&] {
            const SqlStatus theirs = Touch(*other_, 1);
            MustExecute(*other_, theirs.ok() ? "COMMIT" : "ROLLBACK");
          });
        }
        return Touch(*mine_, 2);
      },
      &retries_);
  thread.join();
  EXPECT_TRUE(status.ok()) << ToString(status);
  // Which of the two is the victim is the server's choice.
  EXPECT_EQ(retries_, static_cast<uint32_t>(attempts_ - 1));
  EXPECT_EQ(Values(), attempts_ == 1 ? "1,1" : "2,2");
}

TEST_F(TransactionTest, MeetsAWriteBehindItsSnapshot) {
  if (TestEngine() != "myrocks") GTEST_SKIP() << "InnoDB has no such conflict";
  MustExecute(*mine_,
              "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
  Transaction transaction(mine_.get(), 3, 1);
  const SqlStatus status = transaction.Run(
      [&] {
        EXPECT_EQ(Ask(*mine_, "SELECT n FROM t WHERE id = 2"), "0");
        if (++attempts_ == 1) {
          EXPECT_TRUE(Touch(*other_, 1).ok());
          MustExecute(*other_, "COMMIT");
        }
        return Touch(*mine_, 1);
      },
      &retries_);
  EXPECT_TRUE(status.ok()) << ToString(status);
  EXPECT_EQ(retries_, 1U);
  EXPECT_EQ(Values(), "2,0");
}

TEST_F(TransactionTest, EndsForGoodWhenTheServerDies) {
  ServerFlags through = flags_;
  through.socket = flags_.socket + ".relay";
  Relay relay(through.socket, flags_.socket);
  const std::unique_ptr<Connection> cut = Connect(through);
  const auto touch = std::make_unique<Statement>(
      cut.get(), "UPDATE t SET n = n + 1 WHERE id = ?");
  Transaction transaction(cut.get(), 10, 1);
  const SqlStatus status = transaction.Run(
      [&] {
        ++attempts_;
        EXPECT_TRUE(touch->Run(1).ok());
        relay.Cut();
        return touch->Run(2);
      },
      &retries_);
  EXPECT_EQ(status.code, 2006U) << ToString(status);
  EXPECT_EQ(attempts_, 1);
  EXPECT_EQ(retries_, 0U);
  EXPECT_FALSE(touch->Run(1).ok());
}

}  // namespace
}  // namespace waltax::mariadb
