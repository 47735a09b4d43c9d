// The stream of requests: which operation, on which ids, with which bytes, in
// the original's order of draws. Drawing touches no store and reads no clock
// but the wall clock of a link's timestamp.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/random.h"
#include "linkbench/degrees.h"
#include "linkbench/draws.h"
#include "linkbench/options.h"

namespace waltax::linkbench {

// Since the epoch.
uint64_t NowMs();

struct Tail {
  uint64_t id1 = 0;
  uint64_t type = 0;
  uint64_t time = 0;  // of the last link read, ms
};

// Where long link lists were left off: list reads that filled their limit leave
// their last link here, and a few later reads go on from it into older history.
// Not thread-safe: one per thread.
class TailCache {
 public:
  static constexpr size_t kCapacity = 2048;

  [[nodiscard]] size_t size() const { return tails_.size(); }
  [[nodiscard]] const Tail& operator[](size_t i) const { return tails_[i]; }

  // Keeps `tail` unless its list is known; a full cache gives up a random one.
  template <typename Rng>
  void Add(Rng& rng, const Tail& tail) {
    if (known_.contains({tail.id1, tail.type})) return;
    if (tails_.size() < kCapacity) {
      tails_.push_back(tail);
    } else {
      const size_t victim = rng.NextInt(tails_.size());
      if (victim + 1 == tails_.size()) Forget(tails_.back());
      tails_[victim] = tail;
    }
    known_.insert({tail.id1, tail.type});
  }

  void Advance(size_t i, uint64_t time) { tails_[i].time = time; }

  // The last entry fills the hole. As in the original, a list removed from the
  // middle stays known, so that it never enters again.
  void Remove(size_t i) {
    if (i + 1 == tails_.size()) Forget(tails_.back());
    tails_[i] = tails_.back();
    tails_.pop_back();
  }

 private:
  void Forget(const Tail& tail) { known_.erase({tail.id1, tail.type}); }

  std::vector<Tail> tails_;
  std::set<std::pair<uint64_t, uint64_t>> known_;
};

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
  // REQUIRES: Validate() accepted the options.
  explicit RequestModel(const Options& options);
  RequestModel(const RequestModel&) = delete;
  RequestModel& operator=(const RequestModel&) = delete;

  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] const OutDegrees& degrees() const { return degrees_; }

 private:
  friend class RequestStream;

  Options options_;
  OutDegrees degrees_;
  std::array<double, kOps> cumulative_mix_{};
  // One table each, so that all of them fit into the first-level cache.
  Shuffle degree_shuffle_;
  Shuffle uncorrelated_shuffle_;
  Shuffle node_shuffle_;
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
