#include "linkbench/graph_load.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "driver/random.h"
#include "linkbench/draws.h"
#include "linkbench/requests.h"
#include "linkbench/store.h"

namespace waltax::linkbench {

namespace {

// Keeps the loader's random streams apart from the workers'.
constexpr uint64_t kLoadStream = 1ULL << 32;

// A link's time lies this far back at most.
constexpr uint64_t kTimeSpanMs = 1ULL << 32;

// Ids of a work item. Small graphs have smaller ones, so that there are enough
// for all cores; it must not depend on their number.
constexpr uint64_t kMostChunkIds = 1 << 16;
constexpr uint64_t kFewestChunkIds = 1 << 10;
constexpr uint64_t kFewestChunks = 16;

// The ids [begin, end), which are the `number`th chunk.
struct ChunkRange {
  uint64_t number = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

// Generates the rows of a chunk. Everything random is drawn from
// the chunk's own stream (DEVIATION T12).
class GraphChunk {
 public:
  // Everything referred to must outlive the chunk.
  GraphChunk(const GraphOptions& graph, const OutDegrees& degrees,
             const LoadOptions& options, const ChunkRange& range,
             table::RowSink* sink)
      : graph_(graph),
        degrees_(degrees),
        now_ms_(options.now_ms),
        range_(range),
        random_(options.seed, kLoadStream + range.number),
        link_size_(graph.link_datasize, kMaxLinkBytes),
        node_size_(graph.node_datasize, kMaxNodeBytes),
        link_payload_(graph.link_add),
        node_payload_(graph.node_add),
        sink_(*sink) {}

  void Write() {
    for (uint64_t id = range_.begin; id < range_.end && sink_.ok(); ++id) {
      WriteNode(id);
      uint64_t degree = 0;
      for (uint32_t type = 0; type < graph_.link_type_count; ++type) {
        const uint64_t links = degrees_.OfType(id, type);
        if (links > 0) degree += WriteLinks(id, kFirstLinkType + type, links);
      }
      hub_degree_ = std::max(hub_degree_, degree);
    }
  }
  // Most links of one node.
  [[nodiscard]] uint64_t hub_degree() const { return hub_degree_; }

 private:
  void WriteNode(uint64_t id) {
    node_payload_.Fill(random_, node_size_.Draw(random_), &payload_);
    EncodeRow(NodeValue{kNodeType, 1, static_cast<uint32_t>(now_ms_ / 1000),
                        payload_},
              &value_);
    Put(Table::kNodes, EncodeNodeKey(id));
  }
  // Returns how many: a target drawn twice is one link.
  uint64_t WriteLinks(uint64_t id1, uint64_t type, uint64_t links) {
    ChooseId2s(id1, links);
    rows_.Clear();
    uint64_t newest = 0;
    for (const uint64_t id2 : id2s_) {
      link_payload_.Fill(random_, link_size_.Draw(random_), &payload_);
      const uint64_t time = now_ms_ - 2 - random_.NextInt(kTimeSpanMs);
      rows_.Add(id2, {true, 0, time, payload_});
      newest = std::max(newest, time);
    }
    for (size_t i = 0; i < rows_.size(); ++i) {
      EncodeRow(rows_.value(i), &value_);
      Put(Table::kLinks, EncodeLinkKey({id1, type, rows_.id2(i)}));
    }
    EncodeRow(CountValue{rows_.size(), newest, 0}, &value_);
    Put(Table::kCounts, EncodeCountKey(id1, type));
    WriteIndex(id1, type);
    return rows_.size();
  }
  void WriteIndex(uint64_t id1, uint64_t type) {
    newest_first_.resize(rows_.size());
    std::iota(newest_first_.begin(), newest_first_.end(), 0);
    // Links come by id2, and a stable sort keeps that order among equal times.
    std::stable_sort(newest_first_.begin(), newest_first_.end(),
                     [this](uint32_t left, uint32_t right) {
                       return rows_.time(left) > rows_.time(right);
                     });
    for (const uint32_t i : newest_first_) {
      const LinkValue link = rows_.value(i);
      EncodeRow(IndexValue{link.version, link.data}, &value_);
      Put(Table::kIndex,
          EncodeIndexKey({id1, type, rows_.id2(i)}, true, link.time));
    }
  }
  template <typename SomeKey>
  void Put(Table table, const SomeKey& key) {
    sink_.Put(static_cast<size_t>(table), key.view(), value_);
  }
  void ChooseId2s(uint64_t id1, uint64_t links) {
    id2s_.resize(links);
    if (graph_.randomid2max == 0) {
      std::iota(id2s_.begin(), id2s_.end(), id1);
      return;
    }
    for (uint64_t& id2 : id2s_) id2 = random_.NextInt(graph_.randomid2max);
    std::sort(id2s_.begin(), id2s_.end());
    id2s_.erase(std::unique(id2s_.begin(), id2s_.end()), id2s_.end());
  }

  const GraphOptions& graph_;
  const OutDegrees& degrees_;
  uint64_t now_ms_;
  ChunkRange range_;
  Random random_;
  LogNormal link_size_;
  LogNormal node_size_;
  MotifPayload link_payload_;
  MotifPayload node_payload_;
  table::RowSink& sink_;
  uint64_t hub_degree_ = 0;
  // Of the (id1, type) at hand.
  std::vector<uint64_t> id2s_;
  LinkRows rows_;
  std::vector<uint32_t> newest_first_;
  std::string payload_;
  std::string value_;
};

}  // namespace

GraphLoad::GraphLoad(const GraphOptions& graph, const OutDegrees& degrees,
                     const LoadOptions& options)
    : graph_(graph),
      degrees_(degrees),
      options_(options),
      chunk_ids_(std::clamp(graph.ids() / kFewestChunks, kFewestChunkIds,
                            kMostChunkIds)) {}

table::Load GraphLoad::Plan() {
  table::Load load;
  load.tables = &Tables();
  load.threads = options_.threads;
  load.chunks.resize((graph_.ids() + chunk_ids_ - 1) / chunk_ids_);
  std::iota(load.chunks.begin(), load.chunks.end(), 0);
  // The hub's chunk can take as long as all others: it must not come last.
  const uint64_t hub = (degrees_.HottestId() - graph_.startid1) / chunk_ids_;
  std::rotate(load.chunks.begin(),
              load.chunks.begin() + static_cast<std::ptrdiff_t>(hub),
              load.chunks.end());
  load.write = [this](uint64_t number, table::RowSink* sink) {
    Write(number, sink);
  };
  return load;
}

void GraphLoad::Write(uint64_t number, table::RowSink* sink) {
  const uint64_t begin = graph_.startid1 + number * chunk_ids_;
  const ChunkRange range = {number, begin,
                            std::min(begin + chunk_ids_, graph_.maxid1)};
  GraphChunk chunk(graph_, degrees_, options_, range, sink);
  chunk.Write();
  const std::scoped_lock lock(mutex_);
  hub_degree_ = std::max(hub_degree_, chunk.hub_degree());
}

uint64_t GraphLoad::hub_degree() const {
  const std::scoped_lock lock(mutex_);
  return hub_degree_;
}

}  // namespace waltax::linkbench
