// Verifies the table of students in the order of its keys.
#pragma once

#include "driver/status.h"
#include "driver/workload.h"
#include "sqlops/options.h"
#include "sqlops/sql/schema.h"
#include "sqlops/store.h"
#include "sqlops/student.h"

namespace waltax::sqlops {

// Verifies that the loaded students are there but for those that were deleted,
// that those inserted are, and that each holds what it must, or a new name.
// Where nobody knows what was deleted, those may be missing that deletes begin
// with. Fails only when the table cannot be read.
Status CheckStudents(const SqlPlace& place, const DataOptions& data,
                     const Students& students, const Expected& expected,
                     CheckResult* result);

}  // namespace waltax::sqlops
