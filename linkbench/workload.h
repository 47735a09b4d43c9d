// LinkBench as the driver sees it.
#pragma once

#include <memory>

#include "driver/findings.h"
#include "driver/workload.h"
#include "linkbench/commits.h"
#include "linkbench/requests.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// `commits` may be null: then nobody is told.
std::unique_ptr<Workload> NewLinkbenchWorkload(
    std::shared_ptr<const RequestModel> model, Store* store, int threads,
    CommitLog* commits = nullptr);

// The invariants of a graph, verified row by row.
//
// Scans links, index and counts on `threads` threads, each a range of ids at a
// time, whose links are held in memory. For every (id1, type) the count must be
// the number of visible links, and table and index must hold the same links
// with the same visibility, time, version and data. A failure, which `findings`
// are told, too, is that rows cannot be read. All sessions must be idle.
void CheckGraph(const Store& store, const GraphOptions& graph, int threads,
                Findings* findings);

}  // namespace waltax::linkbench
