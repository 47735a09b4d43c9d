#include "linkbench/kv_sink.h"

#include <algorithm>
#include <numeric>

#include "linkbench/keys.h"

namespace waltax::linkbench {

void KvSink::Node(uint64_t id, const NodeValue& value) {
  EncodeNodeValue(value, &value_);
  Put(kNodes, EncodeNodeKey(id).slice());
}

void KvSink::Links(uint64_t id1, uint64_t type, const LinkRows& links,
                   uint64_t newest) {
  for (size_t i = 0; i < links.size(); ++i) {
    EncodeLinkValue(links.value(i), &value_);
    Put(kLinks, EncodeLinkKey({id1, type, links.id2(i)}).slice());
  }
  EncodeCountValue({links.size(), newest, 0}, &value_);
  Put(kCounts, EncodeCountKey(id1, type).slice());
  WriteIndex(id1, type, links);
}

void KvSink::WriteIndex(uint64_t id1, uint64_t type, const LinkRows& links) {
  newest_first_.resize(links.size());
  std::iota(newest_first_.begin(), newest_first_.end(), 0);
  // Links come by id2, and a stable sort keeps that order among equal times.
  std::stable_sort(newest_first_.begin(), newest_first_.end(),
                   [&links](uint32_t left, uint32_t right) {
                     return links.time(left) > links.time(right);
                   });
  for (const uint32_t i : newest_first_) {
    EncodeIndexValue(links.value(i), &value_);
    const LinkKey key = {id1, type, links.id2(i)};
    Put(kIndex, EncodeIndexKey(key, true, links.time(i)).slice());
  }
}

}  // namespace waltax::linkbench
