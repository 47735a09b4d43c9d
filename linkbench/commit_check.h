// Whether a database has what clients were told to be committed.
#pragma once

#include <vector>

#include "driver/status.h"
#include "driver/workload.h"
#include "linkbench/commit_log.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

// Reads each row that `writes` changed, and adds to `result` what is lost.
//
// A row must be what its last acknowledged write made of it, or a write that
// had not ended when that one began, or a later one. What it is instead was
// made by an earlier write, or by none of these: every acknowledged write that
// began after that one had ended is lost. Where two writes make the same of a
// row, it is taken for the later one.
//
// Fails only when a row cannot be read.
Status CheckCommits(std::vector<LoggedWrite> writes, Session* session,
                    CheckResult* result);

}  // namespace waltax::linkbench
