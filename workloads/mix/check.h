// Whether the tables hold what was written, and nothing else: row counts,
// indexes against their tables both ways, what was added to columns, and the
// contents of texts.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "driver/status.h"
#include "driver/workload.h"
#include "workloads/mix/acks.h"
#include "workloads/mix/choice.h"
#include "workloads/mix/store.h"

namespace waltax::mix {

// What a run finds of a table.
struct Before {
  uint64_t rows = 0;
  uint64_t next = 0;    // the number behind the highest
  uint64_t oldest = 0;  // the lowest number
  // By column: what was added to all rows since they were written.
  std::vector<int64_t> added;
};

// What a run did to a table, beside what it found. The atomics are the sums of
// all clients.
struct TableState {
  TableState(const Table& table, Before found)
      : before(std::move(found)),
        rows(table, before.next, before.oldest),
        added(table.columns.size()) {}

  Before before;
  TableRows rows;
  std::vector<std::atomic<int64_t>> added;  // by column, that was acknowledged
  std::atomic<uint64_t> deleted = 0;
  // A write failed, and nobody knows what it left: the contents of rows are
  // still checked, and not how many they are and what was added to them.
  std::atomic<bool> doubtful = false;
};

using TableStates = std::vector<std::unique_ptr<TableState>>;

// What a run begins with. Looks only at tables whose rows change; without a
// store they are as they were loaded.
Status Survey(const Values& values, Store* store, TableStates* states);

// Without `states`, what runs wrote is checked by its contents alone. With
// `acks`, what a log says is looked for, too.
Status Check(const Values& values, Store& store, const TableStates* states,
             AckCheck* acks, CheckResult* result);

}  // namespace waltax::mix
