#include "workloads/ycsb/workload.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/workloads/ycsb/memory/store.h"
#include "tests/workloads/ycsb/operations.h"

namespace waltax::ycsb {
namespace {

class WorkloadTest : public testing::Test {
 protected:
  void Open(const std::function<void(Options*)>& change) {
    Options options;
    options.requests.maxscanlength = 100;
    change(&options);
    const Status status = Resolve(&options);
    ASSERT_TRUE(status.ok()) << status.message();
    model_ = std::make_shared<RequestModel>(options);
    memory_ = std::make_unique<MemoryStore>(options.data);
    memory_->Fill(7);
    std::optional<Totals> before;
    if (WantsSurvey(options.requests)) {
      ASSERT_TRUE(Survey(memory_.get(), &before.emplace()).ok());
    }
    workload_ = NewYcsbWorkload(model_, memory_.get(), 2, before);
    worker_ = workload_->NewWorker(0, 1);
  }
  Outcome Execute() {
    worker_->Draw();
    return worker_->Execute();
  }
  void ExecuteMany(int requests) {
    for (int i = 0; i < requests; ++i) {
      const Outcome outcome = Execute();
      ASSERT_EQ(outcome.error, nullptr) << *outcome.error;
    }
  }
  std::vector<std::string> Violations() {
    CheckResult result;
    EXPECT_TRUE(workload_->Check(&result).ok());
    return result.violations;
  }

  std::shared_ptr<RequestModel> model_;
  std::unique_ptr<MemoryStore> memory_;
  std::unique_ptr<Workload> workload_;
  std::unique_ptr<Worker> worker_;
};

using Texts = std::vector<std::string>;

TEST_F(WorkloadTest, LeavesAConsistentTableWithEachOfTheSixMixes) {
  struct Mix {
    std::array<double, kOps> proportions;
    const char* distribution;
  };
  for (const bool checkable : {false, true}) {
    for (const Mix& mix :
         {Mix{{.5, .5, 0, 0, 0}, "zipfian"},
          Mix{{.95, .05, 0, 0, 0}, "zipfian"}, Mix{{1, 0, 0, 0, 0}, "zipfian"},
          Mix{{.95, 0, .05, 0, 0}, "latest"},
          Mix{{0, 0, .05, .95, 0}, "zipfian"},
          Mix{{.5, 0, 0, 0, .5}, "zipfian"}}) {
      Open([&](Options* options) {
        options->requests.proportions = mix.proportions;
        options->requests.requestdistribution = mix.distribution;
        options->data.dataintegrity = checkable;
      });
      ExecuteMany(2000);
      EXPECT_EQ(Violations(), Texts{});
    }
  }
}

TEST_F(WorkloadTest, FindsALostUpdateAfterItsOwnReadModifyWrites) {
  Open([](Options* options) {
    options->requests.proportions = {0, 0, 0, 0, 1};
  });
  ExecuteMany(50);
  EXPECT_EQ(Violations(), Texts{});
  const auto session = memory_->NewSession(1);
  Row row;
  const std::string text(100, 'x');
  const Values values{0, {text}, {}};
  ReadModifyWrite(*session, "user6284781860667377211", std::nullopt, values,
                  &row);
  EXPECT_EQ(Violations(),
            (Texts{"counters: 51 read-modify-writes are in the records, 50 "
                   "were acknowledged"}));
}

TEST_F(WorkloadTest, InsertsBehindTheRecordsThatAreThere) {
  Open([](Options* options) {
    options->requests.proportions = {0, 0, 1, 0, 0};
  });
  ExecuteMany(5);
  Row row;
  const auto session = memory_->NewSession(1);
  for (const uint64_t number : {1000U, 1004U, 1005U}) {
    std::string key;
    model_->keys.Write(number, &key);
    EXPECT_EQ(Read(*session, key, std::nullopt, &row).found, number < 1005);
  }
  // Another run goes on where this one ended.
  Totals before;
  ASSERT_TRUE(Survey(memory_.get(), &before).ok());
  const auto next = NewYcsbWorkload(model_, memory_.get(), 1, before);
  const auto worker = next->NewWorker(0, 1);
  worker->Draw();
  EXPECT_EQ(worker->Execute().error, nullptr);
  ASSERT_TRUE(Survey(memory_.get(), &before).ok());
  EXPECT_EQ(before.rows, 1006U);
}

// What is drawn and not executed takes no number: the others would wait for it.
TEST_F(WorkloadTest, TakesANumberOnlyWhenItExecutes) {
  Open([](Options* options) {
    options->requests.proportions = {0, 0, 1, 0, 0};
  });
  for (int i = 0; i < 10; ++i) worker_->Draw();
  ExecuteMany(1);
  EXPECT_EQ(Violations(), Texts{});
}

TEST_F(WorkloadTest, AsksForAllRecordsInTurnWithSequential) {
  Open([](Options* options) {
    options->requests.requestdistribution = "sequential";
    options->data.insertstart = 900;
    options->data.dataintegrity = true;
  });
  ExecuteMany(250);
  EXPECT_EQ(Violations(), Texts{});
}

// Defect Y5: a failed operation is none that was done.
TEST_F(WorkloadTest, CallsARecordThatIsNotThereAnError) {
  Open([](Options* options) {
    options->requests.proportions = {1, 0, 0, 0, 0};
  });
  MemoryStore empty(model_->options.data);
  const auto workload = NewYcsbWorkload(model_, &empty, 1, std::nullopt);
  const auto worker = workload->NewWorker(0, 1);
  worker->Draw();
  const Outcome outcome = worker->Execute();
  ASSERT_NE(outcome.error, nullptr);
  EXPECT_NE(outcome.error->find("found no such record"), std::string::npos);
  EXPECT_FALSE(outcome.fatal);
  EXPECT_EQ(outcome.found, 0U);
}

TEST_F(WorkloadTest, CallsAFieldThatHoldsSomethingElseAnError) {
  Open([](Options* options) {
    options->data.recordcount = 1;
    options->data.dataintegrity = true;
    options->requests.proportions = {1, 0, 0, 0, 0};
  });
  ExecuteMany(1);
  const std::string text(100, 'x');
  const Values values{3, {text}, {}};
  Update(*memory_->NewSession(1), "user6284781860667377211", values);
  const Outcome outcome = Execute();
  ASSERT_NE(outcome.error, nullptr);
  EXPECT_EQ(*outcome.error,
            "READ of user6284781860667377211: fields do not hold what was "
            "written");
  EXPECT_EQ(Violations(),
            (Texts{"fields: field3 of user6284781860667377211 holds what was "
                   "never written"}));
}

// Defect Y1: a scan of nothing is no division by zero.
TEST_F(WorkloadTest, ScansNothingWithoutAnError) {
  Open([](Options* options) {
    options->requests.proportions = {0, 0, 0, 1, 0};
  });
  MemoryStore empty(model_->options.data);
  const auto workload = NewYcsbWorkload(model_, &empty, 1, std::nullopt);
  const auto worker = workload->NewWorker(0, 1);
  worker->Draw();
  const Outcome outcome = worker->Execute();
  EXPECT_EQ(outcome.error, nullptr);
  EXPECT_EQ(outcome.rows, 0U);
  EXPECT_EQ(outcome.not_found, 1U);
}

TEST_F(WorkloadTest, UpdatesBlindlyWhereItIsTold) {
  Open([](Options* options) {
    options->requests.blind = true;
    options->requests.writeallfields = true;
    options->requests.proportions = {.5, .5, 0, 0, 0};
  });
  ExecuteMany(500);
  EXPECT_EQ(Violations(), Texts{});
}

TEST_F(WorkloadTest, CountsOperationsASecond) {
  Open([](Options*) {});
  EXPECT_EQ(workload_->throughput().unit, "ops/s");
  EXPECT_FALSE(workload_->throughput().operation);
  EXPECT_EQ(workload_->OperationNames()[4], "READ-MODIFY-WRITE");
}

TEST(NullWorkload, HasNothingToCheck) {
  Options options;
  ASSERT_TRUE(Resolve(&options).ok());
  Store store;
  const auto workload = NewYcsbWorkload(std::make_shared<RequestModel>(options),
                                        &store, 1, std::nullopt);
  CheckResult result;
  EXPECT_FALSE(workload->Check(&result).ok());
}

}  // namespace
}  // namespace waltax::ycsb
