#include "driver/slice.h"

namespace waltax {

void OperationStats::Merge(const OperationStats& other) {
  latency_ns.Merge(other.latency_ns);
  found += other.found;
  not_found += other.not_found;
  rows += other.rows;
  tally += other.tally;
  errors += other.errors;
  retries += other.retries;
}

void OperationStats::Clear() {
  latency_ns.Clear();
  found = not_found = rows = tally = errors = retries = 0;
}

uint64_t SliceResult::Requests() const {
  uint64_t requests = 0;
  for (const auto& operation : operations) {
    requests += operation.latency_ns.Count();
  }
  return requests;
}

}  // namespace waltax
