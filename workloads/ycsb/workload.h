// YCSB's core workload as the driver sees it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/ack_log.h"
#include "driver/workload.h"
#include "workloads/ycsb/requests.h"
#include "workloads/ycsb/store.h"

namespace waltax::ycsb {

// What a table holds in all.
struct Totals {
  uint64_t rows = 0;
  uint64_t counter = 0;  // of all records
};

// What a table must hold, beside what its data set says.
struct Expected {
  // The records from DataOptions::recordcount to before `next` were inserted,
  // but for the `doubtful` ones, which may be there or not. Empty: nobody knows
  // how many there are.
  std::optional<uint64_t> next;
  std::vector<uint64_t> doubtful;
  std::optional<uint64_t> counter;  // of all records; empty: nobody knows
  // The inserts of an acknowledgement log, in its order.
  std::optional<std::vector<uint64_t>> acknowledged;
};

// Counts all rows, on one thread. Both want all sessions of `store` idle.
Status Survey(Store* store, Totals* totals);

// Verifies on `threads` threads that the records which a data set has, and
// those that were inserted, are there once, and no others; that their fields
// hold what they must; that none is on a node that does not own it; and that
// their counters add up. Fails only when the store cannot be read.
Status CheckRecords(const DataOptions& data, const Expected& expected,
                    int threads, Store* store, CheckResult* result);

// The log has the number of each record whose insert was acknowledged, a line
// each.
inline constexpr AckFormat kAcks = {"the number of a record", 1};
Status ReadAckLog(const std::string& path, std::vector<uint64_t>* numbers);

// `before` is what the store holds, where that was looked at. `acks`, which may
// be null, gets each insert that was acknowledged.
std::unique_ptr<Workload> NewYcsbWorkload(
    std::shared_ptr<const RequestModel> model, Store* store, int threads,
    const std::optional<Totals>& before, AckLog* acks = nullptr);

// Whether a run changes what Survey() counts: then it is to be called before
// it.
bool WantsSurvey(const RequestOptions& requests);

}  // namespace waltax::ycsb
