#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driver/steps.h"
#include "driver/table/reader.h"
#include "linkbench/tables.h"
#include "linkbench/workload.h"

namespace waltax::linkbench {

namespace {

using RowReader = table::RowReader<Table>;

// Ids of a range at most.
constexpr uint64_t kMostRangeIds = 1 << 14;
// Ranges per thread: the hub's is longer than the others, so have many.
constexpr uint64_t kRangesPerThread = 32;

// A link as one of its two tables has it.
struct Link {
  LinkKey key;
  bool visible = false;
  uint32_t version = 0;
  uint64_t time = 0;
  std::string data;

  Link(const LinkKey& key, const LinkValue& value)
      : key(key),
        visible(value.visible),
        version(value.version),
        time(value.time),
        data(value.data) {}
  auto operator<=>(const Link&) const = default;
};

class RangeCheck {
 public:
  RangeCheck(const RowReader& reader, Findings* findings)
      : reader_(reader), findings_(*findings) {}

  void Run(const table::KeyRange& range) {
    Read(range);
    // What could not be read must not be called missing.
    if (findings_.failed()) return;
    for (const auto& [pair, counted] : counts_) {
      if (counted.count == counted.visible) continue;
      findings_.Violation(fmt::format(
          "counts: id1 {} type {}: count is {}, visible links are {}",
          pair.first, pair.second, counted.count, counted.visible));
    }
    CompareRows();
  }

 private:
  struct Counted {
    uint64_t count = 0;
    uint64_t visible = 0;
  };

  void Read(const table::KeyRange& range) {
    reader_.Read<LinkValue>(
        range, [this](std::string_view key, const LinkValue& value) {
          const LinkKey link = DecodeLinkKey(key);
          if (value.visible) ++counts_[{link.id1, link.type}].visible;
          links_.emplace_back(link, value);
        });
    reader_.Read<IndexValue>(
        range, [this](std::string_view key, const IndexValue& row) {
          LinkValue value = {true, row.version, 0, row.data};
          const LinkKey link = DecodeIndexKey(key, &value);
          index_.emplace_back(link, value);
        });
    reader_.Read<CountValue>(
        range, [this](std::string_view key, const CountValue& row) {
          const LinkKey pair = DecodeCountKey(key);
          counts_[{pair.id1, pair.type}].count = row.count;
        });
    std::sort(links_.begin(), links_.end());
    std::sort(index_.begin(), index_.end());
  }
  void CompareRows() {
    auto link = links_.begin();
    const LinkKey* before = nullptr;
    for (const Link& row : index_) {
      for (; link != links_.end() && link->key < row.key; ++link) {
        Report("links", link->key, "missing in the index");
      }
      if (before != nullptr && *before == row.key) {
        Report("index", row.key, "more than one row for this link");
      } else if (link == links_.end() || link->key != row.key) {
        Report("index", row.key, "missing in the links");
      } else {
        if (*link != row) {
          Report("index", row.key,
                 "visibility, time, version or data differ from the link's");
        }
        ++link;
      }
      before = &row.key;
    }
    for (; link != links_.end(); ++link) {
      Report("links", link->key, "missing in the index");
    }
  }
  void Report(const char* table, const LinkKey& key, const char* what) {
    findings_.Violation(fmt::format("{}: id1 {} type {} id2 {}: {}", table,
                                    key.id1, key.type, key.id2, what));
  }

  const RowReader& reader_;
  Findings& findings_;
  std::vector<Link> links_;
  std::vector<Link> index_;
  std::map<std::pair<uint64_t, uint64_t>, Counted> counts_;  // by id1 and type
};

// Together they cover all keys, of whatever ids.
std::vector<table::KeyRange> CutIds(const GraphOptions& graph, int threads) {
  const uint64_t ids = std::clamp<uint64_t>(
      graph.ids() / (kRangesPerThread * static_cast<uint64_t>(threads)), 1,
      kMostRangeIds);
  std::vector<table::KeyRange> ranges(1);
  for (uint64_t id = graph.startid1 + ids; id < graph.maxid1; id += ids) {
    ranges.back().last = EncodeNodeKey(id - 1).view();
    ranges.emplace_back(EncodeNodeKey(id).view(), "");
  }
  return ranges;
}

}  // namespace

void CheckGraph(const Store& store, const GraphOptions& graph, int threads,
                Findings* findings) {
  const RowReader reader(
      Tables(),
      [&store](Table table, const table::KeyRange& range,
               const table::Visit& visit) {
        return store.Scan(table, range, visit);
      },
      findings);
  const std::vector<table::KeyRange> ranges = CutIds(graph, threads);
  // The reader tells the findings of a failure, which ends the others' work.
  (void)RunSteps(threads, ranges.size(), [&](uint64_t i, int /*thread*/) {
    if (!findings->failed()) RangeCheck(reader, findings).Run(ranges[i]);
    return Status::Ok();
  });
}

}  // namespace waltax::linkbench
