#include "tpcc/workload.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/temporary_file.h"
#include "tests/tpcc/memory/store.h"
#include "tests/tpcc/null_store.h"
#include "tpcc/check/check.h"

namespace waltax::tpcc {
namespace {

RunPlan PlanOf(uint64_t warehouses, int terminals, int threads) {
  Options options;
  options.warehouses = warehouses;
  options.terminals = terminals;
  return {options, threads, {66, 77, 88}, 150};
}

TEST(Workload, CountsNewOrdersAMinuteWithThoseThatHadToRollBack) {
  NullStore store;
  const auto workload = NewTpccWorkload(PlanOf(1, 1, 1), &store, nullptr);
  EXPECT_EQ(workload->throughput().unit, "tpmC");
  EXPECT_EQ(workload->OperationNames().at(*workload->throughput().operation),
            "NEW_ORDER");
  EXPECT_EQ(workload->throughput().interval_s, 60);
  const auto worker = workload->NewWorker(0, 1);
  uint64_t committed = 0;
  uint64_t rolled_back = 0;
  for (int i = 0; i < 23'000; ++i) {
    worker->Draw();
    const Outcome outcome = worker->Execute();
    if (outcome.operation != 0) continue;
    committed += outcome.found;
    rolled_back += outcome.not_found;
    // A rollback by rule is no failure.
    EXPECT_EQ(outcome.error, nullptr);
  }
  EXPECT_EQ(committed + rolled_back, 10'000U);
  EXPECT_NEAR(static_cast<double>(rolled_back), 100, 5 * 10);
  nlohmann::json counters = nlohmann::json::object();
  worker->AddColumns(&counters);
  EXPECT_EQ(counters["new_orders_committed"], committed);
  EXPECT_EQ(counters["new_orders_rolled_back"], rolled_back);
  nlohmann::json next = nlohmann::json::object();
  worker->AddColumns(&next);
  EXPECT_EQ(next["new_orders_committed"], 0);
}

// The null store has no order to deliver.
TEST(Workload, SaysWhichTransactionsCommitted) {
  NullStore store;
  const auto workload = NewTpccWorkload(PlanOf(1, 1, 1), &store, nullptr);
  const auto worker = workload->NewWorker(0, 1);
  for (int i = 0; i < 2'300; ++i) {
    worker->Draw();
    const Outcome outcome = worker->Execute();
    const auto op = static_cast<Op>(outcome.operation);
    const bool ordered = op == Op::kNewOrder && outcome.found > 0;
    EXPECT_EQ(outcome.committed, ordered || op == Op::kPayment);
  }
}

TEST(Workload, DescribesItsConstantsAndItsIsolation) {
  NullStore store;
  const auto workload = NewTpccWorkload(PlanOf(3, 4, 2), &store, nullptr);
  const nlohmann::json json = workload->Describe();
  EXPECT_EQ(json["warehouses"], 3);
  EXPECT_EQ(json["terminals"], 4);
  EXPECT_EQ(json["c_last_load"], 150);
  EXPECT_EQ(json["c_last_run"], 66);
  EXPECT_EQ(json["c_id"], 77);
  EXPECT_EQ(json["ol_i_id"], 88);
  EXPECT_EQ(json["isolation"], "none");
}

// Says of each transaction where its terminal is at home.
class HomeSession : public NullSession {
 public:
  explicit HomeSession(std::vector<uint32_t>* homes) : homes_(*homes) {}
  Reply Payment(const PaymentInput& input, PaymentOutput*) override {
    homes_.push_back(input.w_id);
    return conflicting_;
  }

 private:
  std::vector<uint32_t>& homes_;
  Reply conflicting_ = {.retries = 3};
};

class HomeStore : public NullStore {
 public:
  std::unique_ptr<Session> NewSession(uint64_t) override {
    return std::make_unique<HomeSession>(&homes);
  }
  std::vector<uint32_t> homes;
};

TEST(Workload, GivesEachThreadItsShareOfTheTerminals) {
  HomeStore store;
  const auto workload = NewTpccWorkload(PlanOf(6, 6, 2), &store, nullptr);
  const auto worker = workload->NewWorker(1, 1);
  for (int i = 0; i < 3 * 23; ++i) {
    worker->Draw();
    (void)worker->Execute();
  }
  // Terminals 1, 3 and 5 with ten payments each.
  for (const uint32_t home : {2U, 4U, 6U}) {
    EXPECT_EQ(std::count(store.homes.begin(), store.homes.end(), home), 10);
  }
}

TEST(Workload, CountsConflictsAsRetries) {
  HomeStore store;
  const auto workload = NewTpccWorkload(PlanOf(1, 1, 1), &store, nullptr);
  const auto worker = workload->NewWorker(0, 1);
  uint64_t retries = 0;
  for (int i = 0; i < 23; ++i) {
    worker->Draw();
    retries += worker->Execute().retries;
  }
  EXPECT_EQ(retries, 30U);
}

class WorkloadOnMemory : public ::testing::Test {
 protected:
  // As if so many orders had been committed that the store has not.
  void Open(const std::string& ack_log, uint64_t lost = 0) {
    const Status status = AckLog::Open(ack_log, &acks_);
    ASSERT_TRUE(status.ok()) << status.message();
    RunPlan plan = PlanOf(1, 1, 1);
    ASSERT_TRUE(SumNextOrders(store_, &plan.next_orders).ok());
    plan.next_orders += lost;
    workload_ = NewTpccWorkload(plan, &store_, acks_.get());
  }
  std::vector<std::string> Violations() {
    CheckResult result;
    const Status status = workload_->Check(&result);
    EXPECT_TRUE(status.ok()) << status.message();
    return result.violations;
  }

  MemoryStore store_{{1, 1, 1'700'000'000'000}, 2};
  std::unique_ptr<AckLog> acks_;
  std::unique_ptr<Workload> workload_;
};

TEST_F(WorkloadOnMemory, PassesItsCheckAfterARun) {
  Open("");
  const auto worker = workload_->NewWorker(0, 1);
  for (int i = 0; i < 2'300; ++i) {
    worker->Draw();
    EXPECT_EQ(worker->Execute().error, nullptr);
  }
  EXPECT_EQ(Violations(), std::vector<std::string>());
}

TEST_F(WorkloadOnMemory, FailsItsCheckWhenACommittedOrderIsNotInTheStore) {
  Open("", 1);
  ASSERT_EQ(Violations().size(), 1U);
  EXPECT_TRUE(Violations().front().starts_with("committed")) << Violations()[0];
}

TEST_F(WorkloadOnMemory,
       FailsItsCheckWhenTheStoreHasAnOrderThatNobodyCommitted) {
  Open("");
  NewOrderInput input;
  input.w_id = 1;
  input.d_id = 4;
  input.c_id = 7;
  input.ol_cnt = 5;
  input.lines.fill({1, 1, 1});
  NewOrderOutput output;
  store_.NewSession(0)->NewOrder(input, &output);
  ASSERT_EQ(Violations().size(), 1U);
  EXPECT_TRUE(Violations().front().starts_with("committed")) << Violations()[0];
}

TEST_F(WorkloadOnMemory, AcknowledgesEveryOrderThatWasCommittedAndNoOther) {
  TemporaryFile file;
  Open(file.path());
  const auto worker = workload_->NewWorker(0, 1);
  size_t committed = 0;
  for (int i = 0; i < 2'300; ++i) {
    worker->Draw();
    const Outcome outcome = worker->Execute();
    if (outcome.operation == 0) committed += outcome.found;
  }
  std::vector<AcknowledgedOrder> orders;
  ASSERT_TRUE(ReadAckLog(file.path(), &orders).ok());
  EXPECT_EQ(orders.size(), committed);
  EXPECT_LT(committed, 1'000U);
  CheckResult result;
  ASSERT_TRUE(CheckConsistency(store_, 1, 1, {{}, orders}, &result).ok());
  EXPECT_EQ(result.violations, std::vector<std::string>());
}

TEST_F(WorkloadOnMemory, StopsTheRunWhenAnOrderCannotBeAcknowledged) {
  Open("/dev/full");
  const auto worker = workload_->NewWorker(0, 1);
  Outcome outcome;
  for (int i = 0; i < 23 && outcome.error == nullptr; ++i) {
    worker->Draw();
    outcome = worker->Execute();
  }
  ASSERT_NE(outcome.error, nullptr);
  EXPECT_NE(outcome.error->find("/dev/full"), std::string::npos);
}

}  // namespace
}  // namespace waltax::tpcc
