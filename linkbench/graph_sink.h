// Where the rows of a graph go that is being loaded.
#pragma once

#include <cstdint>

#include "linkbench/store.h"

namespace waltax::linkbench {

// Takes a chunk of ids on one thread. The first failure stays, and what comes
// after it is dropped.
class GraphSink {
 public:
  virtual ~GraphSink() = default;
  // Ids ascend.
  virtual void Node(uint64_t id, const NodeValue& value) = 0;
  // All links of a pair, which are all visible: their number is its count, and
  // `newest` the time of the latest, which is the count's. Pairs ascend by
  // (id1, type), links by id2; there is at least one.
  virtual void Links(uint64_t id1, uint64_t type, const LinkRows& links,
                     uint64_t newest) = 0;
  [[nodiscard]] virtual bool ok() const = 0;
};

}  // namespace waltax::linkbench
