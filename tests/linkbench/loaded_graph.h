// A graph that a test loads, whatever the store is.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "linkbench/degrees.h"
#include "linkbench/graph_load.h"

namespace waltax::linkbench {

struct LoadedGraph {
  std::vector<uint64_t> rows;  // links, index, counts, nodes
  uint64_t hub_degree = 0;
};

// `load` is given the graph's load, and where to count the rows.
template <typename LoadInStore>
LoadedGraph Loaded(const GraphOptions& graph, const LoadOptions& options,
                   const LoadInStore& load) {
  const OutDegrees degrees(graph);
  GraphLoad graph_load(graph, degrees, options);
  LoadedRows rows;
  const Status status = load(graph_load.Plan(), &rows);
  EXPECT_TRUE(status.ok()) << status.message();
  return {rows.rows, graph_load.hub_degree()};
}

}  // namespace waltax::linkbench
