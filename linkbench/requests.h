// The stream of requests: which operation, on which ids, with which bytes, in
// the original's order of draws. Drawing touches no store and reads no clock
// but the wall clock of a link's timestamp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "driver/random.h"
#include "linkbench/degrees.h"
#include "linkbench/distributions.h"
#include "linkbench/options.h"
#include "linkbench/payload.h"
#include "linkbench/tail_cache.h"

namespace waltax::linkbench {

// Link types are this and the numbers after it; all nodes have one type.
inline constexpr uint64_t kFirstLinkType = 123456789;
inline constexpr uint32_t kNodeType = 2048;
// Rows of a list read; the original has no flag for it either.
inline constexpr uint32_t kListLimit = 10'000;

// One operation's inputs; which fields count depends on `op`.
struct Request {
  Op op = Op::kGetNode;
  uint64_t id1 = 0;  // or the node's id
  uint64_t type = 0;
  uint64_t time = 0;  // ms for links, s for nodes
  std::array<uint64_t, kMaxMultiget> id2s{};
  uint32_t id2_count = 0;
  std::string payload;
  // Of list reads: links not newer than max_time, after the first `offset`.
  uint64_t max_time = 0;
  uint32_t offset = 0;
  // The tail cache's entry that a history read continues.
  size_t tail = 0;
  bool history = false;

  [[nodiscard]] uint64_t id2() const { return id2s[0]; }
  [[nodiscard]] std::span<const uint64_t> id2_list() const {
    return {id2s.data(), id2_count};
  }
};

// What all threads share: distributions with their tables and shuffles.
// Thread-safe after construction.
class RequestModel {
 public:
  static Status Create(const Options& options,
                       std::shared_ptr<const RequestModel>* model);

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const OutDegrees& degrees() const { return *degrees_; }

 private:
  friend class RequestStream;
  // One table each, so that all of them fit into the first-level cache.
  struct Shuffles {
    std::shared_ptr<const Shuffle> degree;
    std::shared_ptr<const Shuffle> uncorrelated;
    std::shared_ptr<const Shuffle> node;
  };
  RequestModel(const Options& options, const Shuffles& shuffles,
               std::unique_ptr<OutDegrees> degrees);

  Options options_;
  std::unique_ptr<OutDegrees> degrees_;
  std::array<double, kOps> cumulative_mix_{};
  AccessDistribution read_;
  AccessDistribution write_;
  AccessDistribution uncorrelated_;
  AccessDistribution node_read_;
  AccessDistribution node_update_;
  AccessDistribution node_delete_;
  Geometric multiget_size_;
  LogNormal link_size_;
  LogNormal node_size_;
};

// One thread's requests. Not thread-safe.
class RequestStream {
 public:
  // The stream of worker `index` of `workers`.
  RequestStream(std::shared_ptr<const RequestModel> model, int index,
                int workers, uint64_t seed);

  // Overwrites `request`; its buffers are reused.
  void Draw(Request* request);

  // Must follow every executed list read: how many rows came back and the time
  // of the last one, which later history reads continue.
  void OnListRead(const Request& request, uint32_t rows, uint64_t last_time);

 private:
  void DrawLinkWrite(Op op, MotifPayload* payload, double exists, Request* r);
  void DrawMultiget(Request* request);
  void DrawList(Request* request);
  void DrawNodeData(MotifPayload* payload, Request* request);
  void DrawLinkKey(const AccessDistribution& correlated, Request* request);
  [[nodiscard]] uint64_t Id2Range(const Request& request, double exists) const;
  uint64_t DrawId2(uint64_t id1, uint64_t range);
  [[nodiscard]] uint64_t OwnId2(uint64_t id2) const;

  std::shared_ptr<const RequestModel> model_;
  uint64_t index_;
  uint64_t workers_;
  Random random_;
  MotifPayload link_add_;
  MotifPayload link_up_;
  MotifPayload node_add_;
  MotifPayload node_up_;
  TailCache tails_;
};

}  // namespace waltax::linkbench
