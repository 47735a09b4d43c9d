// A run of a mix without the driver: two clients take turns on one thread.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "workloads/mix/workload.h"

namespace waltax::mix {

// What became of the operations, by their names.
struct Driven {
  uint32_t done = 0;
  uint32_t committed = 0;
  uint32_t found = 0;
  uint32_t not_found = 0;
  uint32_t rows = 0;
};

inline std::map<std::string, Driven> Drive(Workload& workload, int operations) {
  std::map<std::string, Driven> all;
  const auto first = workload.NewWorker(0, 7);
  const auto second = workload.NewWorker(1, 7);
  for (int i = 0; i < operations; ++i) {
    Worker& worker = i % 2 == 0 ? *first : *second;
    worker.Draw();
    const Outcome outcome = worker.Execute();
    if (outcome.error != nullptr) ADD_FAILURE() << *outcome.error;
    Driven& of = all[std::string(workload.OperationNames()[outcome.operation])];
    ++of.done;
    of.committed += outcome.committed ? 1 : 0;
    of.found += outcome.found;
    of.not_found += outcome.not_found;
    of.rows += outcome.rows;
  }
  return all;
}

inline std::unique_ptr<Workload> Begin(const Values& values, Store& store) {
  TableStates states;
  const Status status = Survey(values, &store, &states);
  EXPECT_TRUE(status.ok()) << status.message();
  return NewMixWorkload(values, &store, 2, std::move(states));
}

inline std::vector<std::string> Violations(Workload& workload) {
  CheckResult result;
  const Status status = workload.Check(&result);
  EXPECT_TRUE(status.ok()) << status.message();
  return result.violations;
}

inline std::vector<std::string> Violations(const Values& values, Store& store) {
  CheckResult result;
  const Status status = Check(values, store, nullptr, nullptr, &result);
  EXPECT_TRUE(status.ok()) << status.message();
  return result.violations;
}

// Operations of the example do what they say, run after run.
inline void ExpectTheExampleRuns(const Values& values, Store& store) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Violations(values, store), Texts{});
  for (int run = 0; run < 2; ++run) {
    const auto workload = Begin(values, store);
    auto all = Drive(*workload, 400);
    EXPECT_EQ(all["customer-orders"].committed, 0);
    EXPECT_EQ(all["customer-orders"].not_found, 0);
    EXPECT_GT(all["customer-orders"].rows, 3 * all["customer-orders"].done);
    const Driven& order = all["new-order"];
    EXPECT_EQ(order.committed, order.done);
    // A server returns a product once that two draws name.
    EXPECT_LE(order.found, order.done * (1 + 4 + 3));
    EXPECT_GT(order.found, order.done * (1 + 3 + 3));
    EXPECT_EQ(all["rename"].found, all["rename"].done);
    EXPECT_EQ(all["history"].found, all["history"].done);
    EXPECT_GT(all["history"].rows, 2 * all["history"].done);
    EXPECT_EQ(Violations(*workload), Texts{});
  }
  EXPECT_EQ(Violations(values, store), Texts{});
}

}  // namespace waltax::mix
