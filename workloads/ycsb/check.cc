#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <unordered_set>
#include <utility>

#include "driver/findings.h"
#include "driver/steps.h"
#include "workloads/ycsb/records.h"
#include "workloads/ycsb/shards/owner.h"
#include "workloads/ycsb/workload.h"

namespace waltax::ycsb {

namespace {

constexpr size_t kRangesPerThread = 4;
// Numbers that a killed run may have taken without writing a record.
constexpr uint64_t kLargestGap = 4096;

// The records of one node, or of a table that is on one.
class NodeCheck {
 public:
  NodeCheck(const DataOptions& data, Store* store, Findings* findings)
      : data_(data),
        records_(data),
        owner_(data.shards, data.keys()),
        loaded_(data),
        store_(*store),
        findings_(*findings) {}

  Status CheckLoaded(int threads) {
    const size_t ranges =
        std::min(kRangesPerThread * static_cast<size_t>(threads),
                 std::max<size_t>(1, loaded_.size()));
    return RunSteps(threads, ranges, [&](uint64_t i) {
      return CheckRange(loaded_.size() * i / ranges,
                        loaded_.size() * (i + 1) / ranges);
    });
  }

  // Looks for the records that were inserted among those that no load wrote.
  void CheckInserted(const Expected& expected) {
    const std::unordered_set<uint64_t> doubtful(expected.doubtful.begin(),
                                                expected.doubtful.end());
    std::string key;
    uint64_t gap = 0;
    for (uint64_t number = data_.recordcount;
         expected.next ? number < *expected.next
                       : !beside_.empty() && gap < kLargestGap;
         ++number) {
      data_.keys().Write(number, &key);
      if (!Owns(key)) continue;
      if (beside_.erase(key) > 0) {
        findings_.Count("inserted", 1);
        gap = 0;
      } else if (!expected.next) {
        ++gap;
      } else if (!doubtful.contains(number)) {
        Report(key, "is missing, though its insert was acknowledged");
      }
    }
    for (const std::string& other : beside_) {
      Report(other, "is there, though it was never written");
    }
  }

  [[nodiscard]] uint64_t counter() const { return counter_; }

 private:
  // The keys from `first` to before `end` of the list, and all between them.
  Status CheckRange(size_t first, size_t end) {
    KeyRange range;
    if (first > 0) loaded_.Write(first, &range.first);
    if (end < loaded_.size()) loaded_.Write(end, &range.end);
    std::string key;
    size_t at = first;
    uint64_t rows = 0;
    uint64_t counter = 0;
    std::vector<std::string> beside;
    const auto look = [&](std::string_view found, const Row* row) {
      ++rows;
      // Nobody looks here for what belongs elsewhere: there it is missing.
      if (!Owns(found)) return ReportMisplaced(found);
      for (; at < end; ++at) {
        loaded_.Write(at, &key);
        if (key >= found) break;
        Report(key, "is missing");
      }
      if (at < end && key == found) {
        ++at;
      } else {
        beside.emplace_back(found);
      }
      if (row == nullptr) return Report(found, "has a value that is no record");
      counter += row->counter;
      CheckFields(found, *row);
    };
    const Status status = store_.ReadRows(range, true, look);
    for (; status.ok() && at < end; ++at) {
      loaded_.Write(at, &key);
      Report(key, "is missing");
    }
    findings_.Count("records", rows);
    const std::scoped_lock lock(mutex_);
    counter_ += counter;
    beside_.insert(beside.begin(), beside.end());
    return status;
  }
  void CheckFields(std::string_view key, const Row& row) {
    for (uint32_t i = 0; i < records_.fields(); ++i) {
      if (records_.Holds(key, i, row.fields[i])) continue;
      findings_.Violation(
          fmt::format("fields: {} of {} holds what was never written",
                      records_.names()[i], key));
    }
  }
  [[nodiscard]] bool Owns(std::string_view key) const {
    return !data_.shards.node || owner_.Of(key) == *data_.shards.node;
  }
  void ReportMisplaced(std::string_view key) {
    findings_.Violation(
        fmt::format("nodes: {} is on node {}, but node {} owns it", key,
                    data_.shards.node.value_or(0), owner_.Of(key)));
  }
  void Report(std::string_view key, std::string_view what) {
    findings_.Violation(fmt::format("records: {} {}", key, what));
  }

  const DataOptions data_;
  const RecordModel records_;
  const Owner owner_;
  const KeyList loaded_;
  Store& store_;
  Findings& findings_;
  std::mutex mutex_;  // of the next two
  uint64_t counter_ = 0;
  std::unordered_set<std::string> beside_;  // keys that no load wrote
};

// Adds what became of the inserts of a log.
Status CheckAcknowledged(const std::vector<uint64_t>& numbers,
                         const KeyFormat& keys, Session* session,
                         Findings* findings) {
  findings->Acknowledged(numbers.size());
  Request read;
  Row row;
  for (size_t i = 0; i < numbers.size(); ++i) {
    keys.Write(numbers[i], &read.key);
    const Reply reply = session->Execute(read, &row);
    if (reply.error != nullptr) return Status::Failed(*reply.error);
    if (reply.found) continue;
    findings->Lost(i, fmt::format("acknowledged: {} is lost, number {} of {}",
                                  read.key, i, numbers.size()));
  }
  return Status::Ok();
}

}  // namespace

Status Survey(Store* store, Totals* totals) {
  *totals = {};
  Status status;
  for (Store* node : store->Nodes()) {
    if (!status.ok()) break;
    status = node->ReadRows({}, false, [&](std::string_view, const Row* row) {
      ++totals->rows;
      totals->counter += row == nullptr ? 0 : row->counter;
    });
  }
  return status;
}

Status CheckRecords(const DataOptions& data, const Expected& expected,
                    int threads, Store* store, CheckResult* result) {
  Findings findings;
  findings.Count("inserted", 0);
  uint64_t counter = 0;
  const std::vector<Store*> nodes = store->Nodes();
  for (size_t i = 0; i < nodes.size(); ++i) {
    DataOptions part = data;
    if (nodes.size() > 1) part.shards.node = i;
    NodeCheck node(part, nodes[i], &findings);
    const Status status = node.CheckLoaded(threads);
    if (!status.ok()) return status;
    node.CheckInserted(expected);
    counter += node.counter();
  }
  findings.Count("read-modify-writes", counter);
  if (expected.counter && *expected.counter != counter) {
    findings.Violation(
        fmt::format("counters: {} read-modify-writes are in the records, {} "
                    "were acknowledged",
                    counter, *expected.counter));
  }
  if (expected.acknowledged) {
    const Status status =
        CheckAcknowledged(*expected.acknowledged, data.keys(),
                          store->NewSession(0).get(), &findings);
    if (!status.ok()) return status;
  }
  return findings.Take(result);
}

}  // namespace waltax::ycsb
