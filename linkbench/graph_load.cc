#include "linkbench/graph_load.h"

#include <algorithm>
#include <numeric>

#include "driver/random.h"
#include "linkbench/draws.h"
#include "linkbench/requests.h"

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

// Generates the rows of the ids [begin, end). Everything random is drawn from
// the chunk's own stream (DEVIATION T12).
class GraphChunk {
 public:
  // Everything referred to must outlive the chunk.
  GraphChunk(const GraphOptions& graph, const OutDegrees& degrees,
             const LoadOptions& options, const ChunkRange& range,
             GraphSink* sink)
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
    sink_.Node(id,
               {kNodeType, 1, static_cast<uint32_t>(now_ms_ / 1000), payload_});
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
    sink_.Links(id1, type, rows_, newest);
    return rows_.size();
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
  GraphSink& sink_;
  uint64_t hub_degree_ = 0;
  // Of the (id1, type) at hand.
  std::vector<uint64_t> id2s_;
  LinkRows rows_;
  std::string payload_;
};

}  // namespace

GraphLoad::GraphLoad(const GraphOptions& graph, const OutDegrees& degrees,
                     const LoadOptions& options)
    : graph_(graph),
      degrees_(degrees),
      options_(options),
      chunk_ids_(std::clamp(graph.ids() / kFewestChunks, kFewestChunkIds,
                            kMostChunkIds)) {}

// The hub's chunk can take as long as all others: it must not come last.
std::vector<uint64_t> GraphLoad::Order() const {
  std::vector<uint64_t> order((graph_.ids() + chunk_ids_ - 1) / chunk_ids_);
  std::iota(order.begin(), order.end(), 0);
  const uint64_t hub = (degrees_.HottestId() - graph_.startid1) / chunk_ids_;
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(hub),
              order.end());
  return order;
}

void GraphLoad::Write(uint64_t number, GraphSink* sink) {
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
