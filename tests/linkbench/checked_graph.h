// What the check of a graph finds.
#pragma once

#include <gtest/gtest.h>

#include "linkbench/workload.h"

namespace waltax::linkbench {

inline CheckResult Checked(const Store& store, const GraphOptions& graph) {
  Findings findings;
  CheckGraph(store, graph, 2, &findings);
  CheckResult result;
  const Status status = findings.Take(&result);
  EXPECT_TRUE(status.ok()) << status.message();
  return result;
}

}  // namespace waltax::linkbench
