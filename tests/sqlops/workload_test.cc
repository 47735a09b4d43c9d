#include "sqlops/workload.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/sqlops/null_store.h"

namespace waltax::sqlops {
namespace {

// Answers each statement with so many rows.
class RowsStore : public Store {
 public:
  explicit RowsStore(uint64_t rows) : rows_(rows) {}

  std::unique_ptr<Session> NewSession(uint64_t /*seed*/) override {
    return std::make_unique<RowsSession>(rows_);
  }
  Status Survey(Before* /*before*/) override { return Status::Ok(); }
  Status Check(const Expected& /*expected*/, CheckResult* /*result*/) override {
    return Status::Ok();
  }

 private:
  class RowsSession : public Session {
   public:
    explicit RowsSession(uint64_t rows) { reply_.rows = rows; }
    Reply Insert(const Student& /*student*/) override { return reply_; }
    Reply Rename(uint64_t /*id*/, std::string_view /*name*/) override {
      return reply_;
    }
    Reply Delete(uint64_t /*id*/) override { return reply_; }
    Reply Read(Op /*op*/, uint64_t /*parameter*/) override { return reply_; }

   private:
    Reply reply_;
  };

  uint64_t rows_;
};

Options Of(std::string_view statement) {
  Options options;
  options.statement = statement;
  return options;
}

Outcome ExecuteOne(Worker& worker) {
  worker.Draw();
  return worker.Execute();
}

TEST(Workload, ExecutesEachStatementOverNothing) {
  for (const OpName& name : OpNames()) {
    const Options options = Of(name.flag);
    NullStore store(options.data.students);
    SqlopsWorkload workload(options, Students(1, .3), &store, {});
    EXPECT_EQ(workload.OperationNames(),
              std::vector<std::string_view>{name.event});
    const auto worker = workload.NewWorker(0, 1);
    for (int i = 0; i < 100; ++i) {
      const Outcome outcome = ExecuteOne(*worker);
      ASSERT_EQ(outcome.error, nullptr) << *outcome.error;
      EXPECT_EQ(outcome.found, name.flag == "delete-missing" ? 0U : 1U);
    }
  }
}

TEST(Workload, ComplainsOfAnotherNumberOfRowsThanAStatementIsAbout) {
  for (const OpName& name : OpNames()) {
    const Options options = Of(name.flag);
    RowsStore store(3);
    SqlopsWorkload workload(options, Students(1, .3), &store, {});
    const auto worker = workload.NewWorker(0, 1);
    const Outcome outcome = ExecuteOne(*worker);
    ASSERT_NE(outcome.error, nullptr) << name.flag;
    EXPECT_TRUE(
        outcome.error->starts_with(std::string(name.flag) + ": found 3 rows, "))
        << *outcome.error;
    EXPECT_FALSE(outcome.fatal);
  }
}

TEST(Workload, EndsWhenNobodyIsLeftToDelete) {
  const Options options = Of("delete-present");
  NullStore store(options.data.students);
  SqlopsWorkload workload(options, Students(1, .3), &store, {1, 999});
  const auto worker = workload.NewWorker(0, 1);
  EXPECT_EQ(ExecuteOne(*worker).error, nullptr);
  EXPECT_EQ(ExecuteOne(*worker).error, nullptr);
  const Outcome outcome = ExecuteOne(*worker);
  EXPECT_TRUE(outcome.fatal);
  EXPECT_EQ(*outcome.error,
            "delete-present: all students are deleted; load more --students");
}

}  // namespace
}  // namespace waltax::sqlops
