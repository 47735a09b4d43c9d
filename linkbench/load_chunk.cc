#include "linkbench/load_chunk.h"

#include <algorithm>
#include <numeric>

#include "linkbench/keys.h"
#include "linkbench/requests.h"

namespace waltax::linkbench {

namespace {

// Keeps the loader's random streams apart from the workers'.
constexpr uint64_t kLoadStream = 1ULL << 32;

// A link's time lies this far back at most.
constexpr uint64_t kTimeSpanMs = 1ULL << 32;

}  // namespace

GraphChunk::GraphChunk(const GraphOptions& graph, const OutDegrees& degrees,
                       const LoadOptions& options, const ChunkRange& range,
                       LoadChunk* files)
    : graph_(graph),
      degrees_(degrees),
      now_ms_(options.now_ms),
      range_(range),
      random_(options.seed, kLoadStream + range.number),
      link_size_(graph.link_datasize, kMaxLinkBytes),
      node_size_(graph.node_datasize, kMaxNodeBytes),
      link_payload_(graph.link_add),
      node_payload_(graph.node_add),
      files_(*files) {}

rocksdb::Status GraphChunk::Write() {
  rocksdb::Status status;
  for (uint64_t id = range_.begin; id < range_.end && status.ok(); ++id) {
    status = WriteNode(id);
    const uint64_t before = files_.file(kLinks).rows();
    for (uint32_t type = 0; type < graph_.link_type_count && status.ok();
         ++type) {
      const uint64_t links = degrees_.OfType(id, type);
      if (links > 0) status = WriteLinks(id, kFirstLinkType + type, links);
    }
    hub_degree_ = std::max(hub_degree_, files_.file(kLinks).rows() - before);
  }
  return status;
}

rocksdb::Status GraphChunk::WriteNode(uint64_t id) {
  node_payload_.Fill(random_, node_size_.Draw(random_), &payload_);
  EncodeNodeValue(
      {kNodeType, 1, static_cast<uint32_t>(now_ms_ / 1000), payload_}, &value_);
  return files_.Put(kNodes, EncodeNodeKey(id).slice(), value_);
}

void GraphChunk::ChooseId2s(uint64_t id1, uint64_t links) {
  id2s_.resize(links);
  if (graph_.randomid2max == 0) {
    std::iota(id2s_.begin(), id2s_.end(), id1);
    return;
  }
  for (uint64_t& id2 : id2s_) id2 = random_.NextInt(graph_.randomid2max);
  // A target drawn twice is one link.
  std::sort(id2s_.begin(), id2s_.end());
  id2s_.erase(std::unique(id2s_.begin(), id2s_.end()), id2s_.end());
}

rocksdb::Status GraphChunk::WriteLinks(uint64_t id1, uint64_t type,
                                       uint64_t links) {
  ChooseId2s(id1, links);
  rows_.Clear();
  CountValue count;
  for (const uint64_t id2 : id2s_) {
    link_payload_.Fill(random_, link_size_.Draw(random_), &payload_);
    const uint64_t time = now_ms_ - 2 - random_.NextInt(kTimeSpanMs);
    const LinkValue link = {true, 0, time, payload_};
    rows_.Add(id2, link);
    EncodeLinkValue(link, &value_);
    const rocksdb::Status status =
        files_.Put(kLinks, EncodeLinkKey({id1, type, id2}).slice(), value_);
    if (!status.ok()) return status;
    ++count.count;
    count.time = std::max(count.time, time);
  }
  EncodeCountValue(count, &value_);
  const rocksdb::Status status =
      files_.Put(kCounts, EncodeCountKey(id1, type).slice(), value_);
  return status.ok() ? WriteIndex(id1, type) : status;
}

rocksdb::Status GraphChunk::WriteIndex(uint64_t id1, uint64_t type) {
  newest_first_.resize(rows_.size());
  std::iota(newest_first_.begin(), newest_first_.end(), 0);
  // Rows come by id2, and a stable sort keeps that order among equal times.
  std::stable_sort(newest_first_.begin(), newest_first_.end(),
                   [this](uint32_t left, uint32_t right) {
                     return rows_.time(left) > rows_.time(right);
                   });
  for (const uint32_t i : newest_first_) {
    EncodeIndexValue(rows_.value(i), &value_);
    const auto key =
        EncodeIndexKey({id1, type, rows_.id2(i)}, true, rows_.time(i));
    const rocksdb::Status status = files_.Put(kIndex, key.slice(), value_);
    if (!status.ok()) return status;
  }
  return rocksdb::Status::OK();
}

}  // namespace waltax::linkbench
