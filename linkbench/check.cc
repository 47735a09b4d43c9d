#include "linkbench/check.h"

#include <fmt/format.h>
#include <rocksdb/iterator.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "driver/findings.h"
#include "driver/rocksdb_status.h"
#include "linkbench/keys.h"

namespace waltax::linkbench {

namespace {

// Ranges per thread: the hub's is longer than the others, so have many.
constexpr uint64_t kRangesPerThread = 32;

// One table from `begin` up to, but not including, `end` (empty: to its end).
class Scan {
 public:
  Scan(const KvTables& tables, rocksdb::ColumnFamilyHandle* table,
       size_t key_bytes, const std::string& begin, const std::string& end)
      : key_bytes_(key_bytes), end_(end), bound_(end_) {
    rocksdb::ReadOptions options;
    options.total_order_seek = true;
    options.fill_cache = false;  // the next slice shall find its cache warm
    if (!end_.empty()) options.iterate_upper_bound = &bound_;
    rows_.reset(tables.db->NewIterator(options, table));
    rows_->Seek(begin);
  }

  [[nodiscard]] bool Valid() const { return rows_->Valid(); }
  [[nodiscard]] bool GoodKey() const { return key().size() == key_bytes_; }
  [[nodiscard]] rocksdb::Slice key() const { return rows_->key(); }
  [[nodiscard]] rocksdb::Slice value() const { return rows_->value(); }
  // id1 and type; a key that is too short stands for itself.
  [[nodiscard]] rocksdb::Slice group() const {
    return {key().data(), std::min(key().size(), kCountKeyBytes)};
  }
  [[nodiscard]] bool In(const std::string& group_key) const {
    return Valid() && group() == rocksdb::Slice(group_key);
  }
  [[nodiscard]] rocksdb::Status status() const { return rows_->status(); }
  void Next() { rows_->Next(); }

 private:
  size_t key_bytes_;
  std::string end_;
  rocksdb::Slice bound_;
  std::unique_ptr<rocksdb::Iterator> rows_;
};

// Merges the three tables over one range of ids.
class RangeCheck {
 public:
  RangeCheck(const KvTables& tables, const std::string& begin,
             const std::string& end, Findings* findings)
      : links_(tables, tables.links, kLinkKeyBytes, begin, end),
        index_(tables, tables.index, kIndexKeyBytes, begin, end),
        counts_(tables, tables.counts, kCountKeyBytes, begin, end),
        findings_(*findings) {}

  rocksdb::Status Run();

 private:
  bool NextGroup();
  void ReadLinks();
  void ReadIndex();
  void CheckCount();
  void CompareRows();
  // REQUIRES: the key of `scan` is of the wrong length.
  void SkipBadKey(const char* table, Scan* scan);
  void Report(const char* table, uint64_t id2, const char* what);

  Scan links_;
  Scan index_;
  Scan counts_;
  Findings& findings_;
  std::string group_;  // the key of the pair at hand
  uint64_t id1_ = 0;
  uint64_t type_ = 0;
  LinkRows link_rows_;
  LinkRows index_rows_;
  std::vector<uint32_t> by_id2_;  // positions in index_rows_
};

rocksdb::Status RangeCheck::Run() {
  uint64_t links = 0;
  uint64_t index = 0;
  uint64_t counts = 0;
  while (NextGroup()) {
    ReadLinks();
    ReadIndex();
    links += link_rows_.size();
    index += index_rows_.size();
    if (counts_.In(group_)) ++counts;
    CheckCount();
    CompareRows();
  }
  findings_.Count("links", links);
  findings_.Count("index", index);
  findings_.Count("counts", counts);
  for (const Scan* scan : {&links_, &index_, &counts_}) {
    if (!scan->status().ok()) return scan->status();
  }
  return rocksdb::Status::OK();
}

bool RangeCheck::NextGroup() {
  SkipBadKey("links", &links_);
  SkipBadKey("index", &index_);
  SkipBadKey("counts", &counts_);
  const Scan* first = nullptr;
  for (const Scan* scan : {&links_, &index_, &counts_}) {
    if (!scan->Valid()) continue;
    if (first == nullptr || scan->group().compare(first->group()) < 0) {
      first = scan;
    }
  }
  if (first == nullptr) return false;
  group_ = first->group().ToString();
  id1_ = GetBigEndian<uint64_t>(group_.data());
  type_ = GetBigEndian<uint64_t>(group_.data() + 8);
  return true;
}

void RangeCheck::SkipBadKey(const char* table, Scan* scan) {
  for (; scan->Valid() && !scan->GoodKey(); scan->Next()) {
    findings_.Violation(
        fmt::format("{}: a key of {} bytes", table, scan->key().size()));
  }
}

void RangeCheck::Report(const char* table, uint64_t id2, const char* what) {
  findings_.Violation(fmt::format("{}: id1 {} type {} id2 {}: {}", table, id1_,
                                  type_, id2, what));
}

void RangeCheck::ReadLinks() {
  link_rows_.Clear();
  for (; links_.In(group_); SkipBadKey("links", &links_)) {
    const LinkKey key = DecodeLinkKey(links_.key());
    LinkValue value;
    if (DecodeLinkValue(links_.value(), &value)) {
      link_rows_.Add(key.id2, value);
    } else {
      Report("links", key.id2, "value is too short");
    }
    links_.Next();
  }
}

void RangeCheck::ReadIndex() {
  index_rows_.Clear();
  for (; index_.In(group_); SkipBadKey("index", &index_)) {
    LinkValue value;
    const LinkKey key =
        DecodeIndexKey(index_.key(), &value.visible, &value.time);
    if (DecodeIndexValue(index_.value(), &value)) {
      index_rows_.Add(key.id2, value);
    } else {
      Report("index", key.id2, "value is too short");
    }
    index_.Next();
  }
}

void RangeCheck::CheckCount() {
  uint64_t visible = 0;
  for (size_t i = 0; i < link_rows_.size(); ++i) {
    visible += link_rows_.value(i).visible ? 1 : 0;
  }
  CountValue count;
  if (counts_.In(group_)) {
    if (!DecodeCountValue(counts_.value(), &count)) {
      findings_.Violation(fmt::format(
          "counts: id1 {} type {}: value has a wrong length", id1_, type_));
    }
    counts_.Next();
  }
  if (count.count == visible) return;
  findings_.Violation(
      fmt::format("counts: id1 {} type {}: count is {}, visible links are {}",
                  id1_, type_, count.count, visible));
}

bool SameLink(const LinkValue& left, const LinkValue& right) {
  return left.visible == right.visible && left.version == right.version &&
         left.time == right.time && left.data == right.data;
}

void RangeCheck::CompareRows() {
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
    if (i > 0 && index_rows_.id2(by_id2_[i - 1]) == id2) {
      Report("index", id2, "more than one row for this link");
    } else if (link == link_rows_.size() || link_rows_.id2(link) != id2) {
      Report("index", id2, "missing in the links");
    } else {
      if (!SameLink(link_rows_.value(link), index_rows_.value(by_id2_[i]))) {
        Report("index", id2,
               "visibility, time, version or data differ from the link's");
      }
      ++link;
    }
  }
  for (; link < link_rows_.size(); ++link) {
    Report("links", link_rows_.id2(link), "missing in the index");
  }
}

// Keys at which the id space is cut, so that each range has as many ids.
std::vector<std::string> Cuts(const KvTables& tables, uint64_t ranges) {
  const std::unique_ptr<rocksdb::Iterator> ends(
      tables.db->NewIterator(rocksdb::ReadOptions(), tables.counts));
  uint64_t low = 0;
  uint64_t high = 0;
  ends->SeekToFirst();
  if (ends->Valid() && ends->key().size() == kCountKeyBytes) {
    low = GetBigEndian<uint64_t>(ends->key().data());
  }
  ends->SeekToLast();
  if (ends->Valid() && ends->key().size() == kCountKeyBytes) {
    high = GetBigEndian<uint64_t>(ends->key().data());
  }
  std::vector<std::string> cuts = {""};
  for (uint64_t i = 1; i < ranges && high - low >= ranges; ++i) {
    const uint64_t id = low + (high - low) / ranges * i;
    cuts.push_back(EncodeNodeKey(id).slice().ToString());
  }
  cuts.emplace_back();  // to the end of the tables
  return cuts;
}

}  // namespace

Status CheckTables(const KvTables& tables, int threads, CheckResult* result) {
  const std::vector<std::string> cuts =
      Cuts(tables, kRangesPerThread * static_cast<uint64_t>(threads));
  Findings findings;
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i + 1 < cuts.size() && !findings.failed();
         i = next++) {
      RangeCheck range(tables, cuts[i], cuts[i + 1], &findings);
      const rocksdb::Status status = range.Run();
      if (!status.ok()) {
        findings.Fail(
            Explained(status, "check the data set", tables.db->GetName()));
      }
    }
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  return findings.Take(result);
}

}  // namespace waltax::linkbench
