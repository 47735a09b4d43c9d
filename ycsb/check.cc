#include "ycsb/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driver/findings.h"
#include "driver/steps.h"
#include "ycsb/key_list.h"
#include "ycsb/shards/owner.h"

namespace waltax::ycsb {

namespace {

constexpr size_t kRangesPerThread = 4;
// Numbers that a killed run may have taken without writing a record.
constexpr uint64_t kLargestGap = 4096;

// What the threads of a check find.
struct Found {
  Findings findings;
  std::atomic<uint64_t> counter = 0;
  std::mutex mutex;
  std::unordered_set<std::string> beside;  // keys that no load wrote
};

// Whether a key belongs to the table that is checked, which may be one node's.
// Used by one thread.
class Ownership {
 public:
  explicit Ownership(const DataOptions& data)
      : node_(data.shards.node), owner_(data.shards, data.keys()) {}

  bool Covers(std::string_view key) {
    return !node_ || owner_.Of(key) == *node_;
  }
  // REQUIRES: !Covers(key).
  std::string Complaint(std::string_view key) {
    return fmt::format("nodes: {} is on node {}, but node {} owns it", key,
                       *node_, owner_.Of(key));
  }

 private:
  std::optional<uint64_t> node_;
  Owner owner_;
};

// One range of the loaded keys, against the rows that are there.
class RangeCheck {
 public:
  RangeCheck(const RecordModel& records, const KeyList& loaded, Found* found)
      : records_(records),
        loaded_(loaded),
        found_(*found),
        ownership_(records.data()) {}

  // The keys from `first` to before `end` of the list, and all between them.
  Status Run(const OpenRows& open, size_t first, size_t end) {
    KeyRange range;
    if (first > 0) loaded_.Write(first, &range.first);
    if (end < loaded_.size()) loaded_.Write(end, &range.end);
    std::unique_ptr<RowSource> rows;
    const Status opened = open(range, &rows);
    if (!opened.ok()) return opened;
    StoredRow row;
    size_t at = first;
    while (rows->Next(&row)) {
      ++rows_;
      if (!ownership_.Covers(row.key)) {
        // Nobody looks for it here: where it belongs, it is missing.
        found_.findings.Violation(ownership_.Complaint(row.key));
        continue;
      }
      for (; at < end; ++at) {
        loaded_.Write(at, &key_);
        if (key_ >= row.key) break;
        Missing();
      }
      if (at < end && key_ == row.key) {
        ++at;
      } else {
        beside_.emplace_back(row.key);
      }
      Look(row);
    }
    const Status status = rows->status();
    for (; status.ok() && at < end; ++at) {
      loaded_.Write(at, &key_);
      Missing();
    }
    found_.findings.Count("records", rows_);
    found_.counter += counter_;
    const std::scoped_lock lock(found_.mutex);
    found_.beside.insert(beside_.begin(), beside_.end());
    return status;
  }

 private:
  void Missing() { Report("is missing", key_); }
  void Report(std::string_view what, std::string_view key) {
    found_.findings.Violation(fmt::format("records: {} {}", key, what));
  }
  void Look(const StoredRow& row) {
    if (row.garbled) {
      Report("has a value that is no record", row.key);
      return;
    }
    counter_ += row.row.counter;
    LookAtFields(row);
  }
  void LookAtFields(const StoredRow& row) {
    for (uint32_t i = 0; i < records_.fields(); ++i) {
      if (records_.Holds(row.key, i, row.row.fields[i])) continue;
      found_.findings.Violation(
          fmt::format("fields: {} of {} holds what was never written",
                      records_.names()[i], row.key));
    }
  }

  const RecordModel& records_;
  const KeyList& loaded_;
  Found& found_;
  Ownership ownership_;
  std::string key_;
  uint64_t rows_ = 0;
  uint64_t counter_ = 0;
  std::vector<std::string> beside_;
};

// Which of the records beside the loaded ones were inserted.
class Inserted {
 public:
  Inserted(const DataOptions& data, Found* found)
      : data_(data), keys_(data.keys()), ownership_(data), found_(*found) {}

  void CheckKnown(const Expected& expected) {
    const std::unordered_set<uint64_t> doubtful(expected.doubtful.begin(),
                                                expected.doubtful.end());
    const uint64_t next = expected.next.value_or(0);
    for (uint64_t number = data_.recordcount; number < next; ++number) {
      if (!Name(number) || Take() || doubtful.contains(number)) continue;
      Report("is missing, though its insert was acknowledged", key_);
    }
    ReportOthers();
  }

  void CheckUnknown() {
    uint64_t gap = 0;
    for (uint64_t number = data_.recordcount;
         !found_.beside.empty() && gap < kLargestGap; ++number) {
      if (Name(number)) gap = Take() ? 0 : gap + 1;
    }
    ReportOthers();
  }

 private:
  // Whether the record, whose key is `key_` from now on, belongs here.
  bool Name(uint64_t number) {
    keys_.Write(number, &key_);
    return ownership_.Covers(key_);
  }
  // Whether it is there; it is looked for once.
  bool Take() {
    const bool there = found_.beside.erase(key_) > 0;
    if (there) found_.findings.Count("inserted", 1);
    return there;
  }
  void ReportOthers() {
    for (const std::string& key : found_.beside) {
      Report("is there, though it was never written", key);
    }
  }
  void Report(std::string_view what, std::string_view key) {
    found_.findings.Violation(fmt::format("records: {} {}", key, what));
  }

  const DataOptions& data_;
  KeyFormat keys_;
  Ownership ownership_;
  Found& found_;
  std::string key_;
};

void CheckCounter(const std::optional<uint64_t>& expected, Found* found) {
  const uint64_t counter = found->counter;
  found->findings.Count(kCountersName, counter);
  if (expected && *expected != counter) {
    found->findings.Violation(WrongCounters(counter, *expected));
  }
}

void CheckRanges(const RecordModel& records, const KeyList& loaded, int threads,
                 const OpenRows& open, Found* found) {
  const size_t ranges = std::clamp<size_t>(
      kRangesPerThread * static_cast<size_t>(threads), 1, loaded.size());
  const Status status = RunSteps(threads, ranges, [&](uint64_t i) {
    return RangeCheck(records, loaded, found)
        .Run(open, loaded.size() * i / ranges,
             loaded.size() * (i + 1) / ranges);
  });
  if (!status.ok()) found->findings.Fail(status);
}

}  // namespace

std::string WrongCounters(uint64_t found, uint64_t acknowledged) {
  return fmt::format(
      "counters: {} read-modify-writes are in the records, {} were "
      "acknowledged",
      found, acknowledged);
}

Status CheckRecords(const RecordModel& records, const Expected& expected,
                    int threads, const OpenRows& open, CheckResult* result) {
  const DataOptions& data = records.data();
  const KeyList loaded = LoadedKeys(data);
  Found found;
  found.findings.Count("inserted", 0);
  CheckRanges(records, loaded, threads, open, &found);
  if (!found.findings.failed()) {
    Inserted inserted(data, &found);
    if (expected.next) {
      inserted.CheckKnown(expected);
    } else {
      inserted.CheckUnknown();
    }
    CheckCounter(expected.counter, &found);
  }
  return found.findings.Take(result);
}

Status SurveyRecords(const OpenRows& open, Totals* totals) {
  std::unique_ptr<RowSource> rows;
  const Status opened = open({}, &rows);
  if (!opened.ok()) return opened;
  *totals = {};
  StoredRow row;
  while (rows->Next(&row)) {
    ++totals->rows;
    totals->counter += row.garbled ? 0 : row.row.counter;
  }
  return rows->status();
}

}  // namespace waltax::ycsb
