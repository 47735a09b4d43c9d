#include "linkbench/range_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "driver/steps.h"

namespace waltax::linkbench {

namespace {

// Ranges per thread: the hub's is longer than the others, so have many.
constexpr uint64_t kRangesPerThread = 32;

using Pair = std::pair<uint64_t, uint64_t>;  // id1 and type

// The row that a source stands at.
class Cursor {
 public:
  explicit Cursor(RowSource* source) : source_(*source) { Next(); }

  [[nodiscard]] bool Valid() const { return valid_; }
  [[nodiscard]] bool In(const Pair& pair) const {
    return valid_ && this->pair() == pair;
  }
  [[nodiscard]] Pair pair() const { return {row_.key.id1, row_.key.type}; }
  [[nodiscard]] const CheckRow& row() const { return row_; }
  void Next() { valid_ = source_.Next(&row_); }

 private:
  RowSource& source_;
  CheckRow row_;
  bool valid_ = false;
};

bool SameLink(const LinkValue& left, const LinkValue& right) {
  return left.visible == right.visible && left.version == right.version &&
         left.time == right.time && left.data == right.data;
}

// Merges the three tables over one range of ids.
class RangeCheck {
 public:
  RangeCheck(const RangeSources& sources, Findings* findings)
      : links_(sources.links.get()),
        index_(sources.index.get()),
        counts_(sources.counts.get()),
        findings_(*findings) {}

  void Run() {
    uint64_t links = 0;
    uint64_t index = 0;
    uint64_t counts = 0;
    while (NextPair()) {
      Read(&links_, &link_rows_);
      Read(&index_, &index_rows_);
      links += link_rows_.size();
      index += index_rows_.size();
      if (counts_.In(pair_)) ++counts;
      CheckCount();
      CompareRows();
    }
    findings_.Count("links", links);
    findings_.Count("index", index);
    findings_.Count("counts", counts);
  }

 private:
  bool NextPair() {
    bool found = false;
    for (const Cursor* cursor : {&links_, &index_, &counts_}) {
      if (!cursor->Valid()) continue;
      if (!found || cursor->pair() < pair_) pair_ = cursor->pair();
      found = true;
    }
    return found;
  }
  void Read(Cursor* cursor, LinkRows* rows) const {
    rows->Clear();
    for (; cursor->In(pair_); cursor->Next()) {
      rows->Add(cursor->row().key.id2, cursor->row().link);
    }
  }
  void CheckCount() {
    uint64_t visible = 0;
    for (size_t i = 0; i < link_rows_.size(); ++i) {
      visible += link_rows_.value(i).visible ? 1 : 0;
    }
    uint64_t count = 0;
    if (counts_.In(pair_)) {
      count = counts_.row().count;
      counts_.Next();
    }
    if (count == visible) return;
    findings_.Violation(
        fmt::format("counts: id1 {} type {}: count is {}, visible links are {}",
                    pair_.first, pair_.second, count, visible));
  }
  void CompareRows() {
    by_id2_.resize(index_rows_.size());
    std::iota(by_id2_.begin(), by_id2_.end(), 0);
    std::stable_sort(by_id2_.begin(), by_id2_.end(),
                     [this](uint32_t left, uint32_t right) {
                       return index_rows_.id2(left) < index_rows_.id2(right);
                     });
    size_t link = 0;
    for (size_t i = 0; i < by_id2_.size(); ++i) {
      const uint64_t id2 = index_rows_.id2(by_id2_[i]);
      for (; link < link_rows_.size() && link_rows_.id2(link) < id2; ++link) {
        Report("links", link_rows_.id2(link), "missing in the index");
      }
      CompareIndexRow(i, &link);
    }
    for (; link < link_rows_.size(); ++link) {
      Report("links", link_rows_.id2(link), "missing in the index");
    }
  }
  // `link` stands at the first link whose id2 is not below the row's.
  void CompareIndexRow(size_t i, size_t* link) {
    const uint64_t id2 = index_rows_.id2(by_id2_[i]);
    if (i > 0 && index_rows_.id2(by_id2_[i - 1]) == id2) {
      Report("index", id2, "more than one row for this link");
    } else if (*link == link_rows_.size() || link_rows_.id2(*link) != id2) {
      Report("index", id2, "missing in the links");
    } else {
      if (!SameLink(link_rows_.value(*link), index_rows_.value(by_id2_[i]))) {
        Report("index", id2,
               "visibility, time, version or data differ from the link's");
      }
      ++*link;
    }
  }
  void Report(const char* table, uint64_t id2, const char* what) {
    findings_.Violation(fmt::format("{}: id1 {} type {} id2 {}: {}", table,
                                    pair_.first, pair_.second, id2, what));
  }

  Cursor links_;
  Cursor index_;
  Cursor counts_;
  Findings& findings_;
  Pair pair_;  // the one at hand
  LinkRows link_rows_;
  LinkRows index_rows_;
  std::vector<uint32_t> by_id2_;  // positions in index_rows_
};

Status CheckRange(const IdRange& range, RangeReader* reader,
                  Findings* findings) {
  RangeSources sources;
  Status status = reader->Open(range, findings, &sources);
  if (!status.ok()) return status;
  RangeCheck(sources, findings).Run();
  for (const auto* source : {&sources.links, &sources.index, &sources.counts}) {
    if (status.ok()) status = (*source)->status();
  }
  return status;
}

}  // namespace

std::vector<IdRange> CutIds(uint64_t low, uint64_t high, int threads) {
  const uint64_t ranges = kRangesPerThread * static_cast<uint64_t>(threads);
  std::vector<IdRange> cuts = {{}};
  for (uint64_t i = 1; i < ranges && high - low >= ranges; ++i) {
    const uint64_t id = low + (high - low) / ranges * i;
    cuts.back().last = id - 1;
    cuts.push_back({id, UINT64_MAX});
  }
  return cuts;
}

Status CheckRanges(
    const std::vector<IdRange>& ranges, int threads,
    const std::function<Status(std::unique_ptr<RangeReader>*)>& new_reader,
    CheckResult* result) {
  Findings findings;
  const auto begin = [&](Step* step) {
    std::unique_ptr<RangeReader> opened;
    const Status status = new_reader(&opened);
    const std::shared_ptr<RangeReader> reader = std::move(opened);
    *step = [&, reader](uint64_t i) {
      return CheckRange(ranges[i], reader.get(), &findings);
    };
    return status;
  };
  const Status status =
      RunSteps({.threads = threads, .count = ranges.size(), .begin = begin});
  if (!status.ok()) findings.Fail(status);
  return findings.Take(result);
}

}  // namespace waltax::linkbench
