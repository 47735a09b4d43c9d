#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sqlops/sql/loader.h"
#include "sqlops/sql/store.h"
#include "sqlops/workload.h"
#include "tests/mariadb/server.h"

namespace waltax::sqlops {
namespace {

using Texts = std::vector<std::string>;

class SqlopsStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    place_ = {mariadb::TestServer("sqlops_test"), mariadb::TestEngine()};
    connection_ = mariadb::Connect(place_.server);
    options_.data.students = 20'000;
    Loaded loaded;
    const Status status =
        Load(place_, options_.data, 7, 2, [](const Loaded&) {}, &loaded);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(loaded.students, 20'000U);
    Begin("insert");
  }
  // A run of this statement, with one worker.
  void Begin(const std::string& statement) {
    options_.statement = statement;
    store_ = std::make_unique<SqlStore>(place_, options_, students_);
    Before before;
    const Status status = store_->Survey(&before);
    ASSERT_TRUE(status.ok()) << status.message();
    workload_ = std::make_unique<SqlopsWorkload>(options_, students_,
                                                 store_.get(), before);
    worker_ = workload_->NewWorker(0, 1);
  }
  void Execute(int statements) {
    for (int i = 0; i < statements; ++i) {
      worker_->Draw();
      const Outcome outcome = worker_->Execute();
      ASSERT_EQ(outcome.error, nullptr) << *outcome.error;
    }
  }
  // What a check after the run finds, and one that knows of none.
  Texts OfRun() {
    CheckResult result;
    const Status status = workload_->Check(&result);
    EXPECT_TRUE(status.ok()) << status.message();
    return result.violations;
  }
  CheckResult OfNoRun() {
    CheckResult result;
    const Status status = store_->Check({}, &result);
    EXPECT_TRUE(status.ok()) << status.message();
    return result;
  }
  void Sql(const std::string& sql) { mariadb::MustExecute(*connection_, sql); }

  SqlPlace place_;
  std::unique_ptr<mariadb::Connection> connection_;
  Options options_;
  Students students_{7, .3};
  std::unique_ptr<SqlStore> store_;
  std::unique_ptr<SqlopsWorkload> workload_;
  std::unique_ptr<Worker> worker_;
};

TEST_F(SqlopsStoreTest, LoadsStudentsThatPassTheCheck) {
  EXPECT_EQ(OfNoRun().violations, Texts{});
  uint64_t seed = 0;
  EXPECT_TRUE(VerifyDataSet(*connection_, place_, options_.data, &seed).ok());
  EXPECT_EQ(seed, 7U);
  options_.data.compression_ratio = 1;
  const Status other =
      VerifyDataSet(*connection_, place_, options_.data, &seed);
  EXPECT_EQ(other.message(),
            "--compression-ratio: found 1.0, but the data set in " +
                place_.Name() +
                " was loaded with 0.3: pass that, or load another");
}

TEST_F(SqlopsStoreTest, ExecutesEachStatementAndLeavesAConsistentTable) {
  for (const OpName& name : OpNames()) {
    if (name.event == "INSERT" || name.flag == "delete-present") continue;
    Begin(std::string(name.flag));
    Execute(3);
    EXPECT_EQ(OfRun(), Texts{}) << name.flag;
  }
  // One right behind the other: a run goes on where the last one stopped.
  for (const char* writing : {"insert-random", "delete-present"}) {
    for (int run = 0; run < 2; ++run) {
      Begin(writing);
      Execute(500);
      EXPECT_EQ(OfRun(), Texts{}) << writing;
    }
  }
  const CheckResult result = OfNoRun();
  EXPECT_EQ(result.violations, Texts{});
  const std::vector<std::pair<std::string, uint64_t>> counted = {
      {"deleted", 1000},
      {"inserted", 1000},
      {"renamed", 4},
      {"students", 20'000}};
  EXPECT_EQ(result.counted, counted);
}

TEST_F(SqlopsStoreTest, RefersToCoursesWhereForeignKeysAreAskedFor) {
  options_.data.foreign_keys = true;
  options_.data.students = 1'000;
  Sql("DROP TABLE student, data_set");
  Loaded loaded;
  const Status status =
      Load(place_, options_.data, 7, 2, [](const Loaded&) {}, &loaded);
  if (place_.engine == "myrocks") {
    EXPECT_EQ(status.message(),
              "--foreign-keys: found with MyRocks, which has none; leave it "
              "out");
    return;
  }
  ASSERT_TRUE(status.ok()) << status.message();
  Begin("insert");
  Execute(10);
  EXPECT_EQ(OfRun(), Texts{});
  const mariadb::SqlStatus foreign = connection_->Execute(
      "INSERT INTO student VALUES (5000, 'a', '1990-01-31', 'b', 1, 'c', 1, 2, "
      "1001)");
  EXPECT_FALSE(foreign.ok()) << "a course that is none was taken";
}

TEST_F(SqlopsStoreTest, FindsAnInsertThatWasLost) {
  Execute(10);
  EXPECT_EQ(OfRun(), Texts{});
  Sql("DELETE FROM student WHERE s_id = 20003");
  EXPECT_EQ(OfRun(), Texts{"students: 20003 is missing, though its insert was "
                           "acknowledged"});
}

TEST_F(SqlopsStoreTest, FindsADeleteThatWasLost) {
  Begin("delete-present");
  Execute(1);
  EXPECT_EQ(OfRun(), Texts{});
  const uint64_t id = DeleteIds(20'000).Of(1);
  Sql("INSERT INTO student SELECT " + std::to_string(id) +
      ", s_name, s_dob, s_addr, s_mobno, s_email, s_sub1, s_sub2, s_sub3 "
      "FROM student LIMIT 1");
  const Texts found = OfRun();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].ends_with("holds what was never written")) << found[0];
  EXPECT_TRUE(found[1].ends_with("though its delete was acknowledged"))
      << found[1];
}

TEST_F(SqlopsStoreTest, FindsAStudentThatNobodyDeleted) {
  // A turn that no run has come to.
  const std::string id = std::to_string(DeleteIds(20'000).Of(9'000));
  Sql("DELETE FROM student WHERE s_id = " + id);
  EXPECT_EQ(OfRun(), Texts{"students: " + id + " is missing"});
  EXPECT_EQ(OfNoRun().violations, Texts{"students: " + id + " is missing"});
}

TEST_F(SqlopsStoreTest, FindsAStudentThatARunWithoutDeletesLost) {
  Begin("update-random");
  Execute(10);
  // The first turn of deletes: where nobody knows what a run did, it may be.
  const std::string id = std::to_string(DeleteIds(20'000).Of(1));
  Sql("DELETE FROM student WHERE s_id = " + id);
  EXPECT_EQ(OfRun(), Texts{"students: " + id + " is missing"});
  EXPECT_EQ(OfNoRun().violations, Texts{});
}

TEST_F(SqlopsStoreTest, FindsAColumnThatHoldsSomethingElse) {
  Sql("UPDATE student SET s_sub3 = 4000 WHERE s_id = 7");
  Sql("UPDATE student SET s_name = 'somebody' WHERE s_id = 8");
  EXPECT_EQ(OfNoRun().violations,
            (Texts{"columns: student 7 holds what was never written",
                   "columns: student 8 holds what was never written"}));
}

TEST_F(SqlopsStoreTest, SaysWhyASessionCannotConnect) {
  place_.server.socket += ".none";
  SqlSession session(place_, 1, 1);
  const Reply reply = session.Delete(1);
  EXPECT_TRUE(reply.fatal);
  ASSERT_NE(reply.error, nullptr);
  EXPECT_NE(reply.error->find(place_.server.socket), std::string::npos);
}

}  // namespace
}  // namespace waltax::sqlops
