#include "linkbench/requests.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace waltax::linkbench {

namespace {

// How likely the chosen id2 is among the links that were loaded.
constexpr double kAddExists = 0.05;
constexpr double kDeleteExists = 0.9;
constexpr double kUpdateExists = 0.9;
constexpr double kGetExists = 0.5;

// Draws after which a multiget accepts an id2 that it already has.
constexpr int kMaxUniqueDraws = 101;

}  // namespace

uint64_t NowMs() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

// DEVIATION T1: link writes blend with read_uncorr; the original's keys for a
// blend of their own have never been read.
RequestModel::RequestModel(const Options& options)
    : options_(options),
      degrees_(options.graph),
      degree_shuffle_(kDegreeShuffleSeed, options.graph.ids()),
      uncorrelated_shuffle_(kUncorrelatedShuffleSeed, options.graph.ids()),
      node_shuffle_(kNodeShuffleSeed, options.graph.ids()),
      read_(options.requests.read, options.graph.ids(), degree_shuffle_),
      write_(options.requests.write, options.graph.ids(), degree_shuffle_),
      uncorrelated_(options.requests.read_uncorr, options.graph.ids(),
                    uncorrelated_shuffle_),
      node_read_(options.requests.node_read, options.graph.ids(),
                 node_shuffle_),
      node_update_(options.requests.node_update, options.graph.ids(),
                   node_shuffle_),
      node_delete_(options.requests.node_delete, options.graph.ids(),
                   node_shuffle_),
      multiget_size_(options.requests.link_multiget_min,
                     options.requests.link_multiget_max,
                     options.requests.link_multiget_prob),
      link_size_(options.graph.link_datasize, kMaxLinkBytes),
      node_size_(options.graph.node_datasize, kMaxNodeBytes) {
  double sum = 0;
  for (size_t i = 0; i < kOps; ++i) {
    sum += options.requests.mix[i];
    cumulative_mix_[i] = sum;
  }
}

RequestStream::RequestStream(std::shared_ptr<const RequestModel> model,
                             int index, int workers, uint64_t seed)
    : model_(std::move(model)),
      index_(static_cast<uint64_t>(index)),
      workers_(static_cast<uint64_t>(workers)),
      random_(seed, static_cast<uint64_t>(index)),
      link_add_(model_->options().graph.link_add),
      link_up_(model_->options().requests.link_up),
      node_add_(model_->options().graph.node_add),
      node_up_(model_->options().requests.node_up) {}

void RequestStream::Draw(Request* request) {
  const double percent = 100 * random_.NextDouble();
  size_t op = 0;
  while (op + 1 < kOps && percent > model_->cumulative_mix_[op]) ++op;
  request->op = static_cast<Op>(op);
  switch (request->op) {
    case Op::kAddLink:
      return DrawLinkWrite(request->op, &link_add_, kAddExists, request);
    case Op::kDeleteLink:
      return DrawLinkWrite(request->op, nullptr, kDeleteExists, request);
    case Op::kUpdateLink:
      return DrawLinkWrite(request->op, &link_up_, kUpdateExists, request);
    case Op::kCountLink:
      return DrawLinkKey(model_->read_, request);
    case Op::kMultigetLink:
      return DrawMultiget(request);
    case Op::kGetLinksList:
      return DrawList(request);
    case Op::kAddNode:
      // DEVIATION T16: nodes that are added are never asked for.
      return DrawNodeData(&node_add_, request);
    case Op::kUpdateNode:
      request->id1 =
          model_->options_.graph.startid1 + model_->node_update_.Draw(random_);
      return DrawNodeData(&node_up_, request);
    case Op::kDeleteNode:
      // DEVIATION T16: deleted nodes never come back, so that hits decay.
      request->id1 =
          model_->options_.graph.startid1 + model_->node_delete_.Draw(random_);
      return;
    case Op::kGetNode:
      // DEVIATION T8: drawn before the clock starts, as every other id.
      request->id1 =
          model_->options_.graph.startid1 + model_->node_read_.Draw(random_);
      return;
  }
}

void RequestStream::DrawLinkKey(const AccessDistribution& correlated,
                                Request* request) {
  const Options& options = model_->options_;
  const double blend = options.requests.read_uncorr_blend / 100;
  // Without a blend the original draws nothing for it.
  const bool plain = blend == 0 || random_.NextDouble() >= blend;
  const AccessDistribution& access = plain ? correlated : model_->uncorrelated_;
  request->id1 = options.graph.startid1 + access.Draw(random_);
  request->type =
      kFirstLinkType + random_.NextInt(options.graph.link_type_count);
}

// DEVIATION T9: an update is an add whose id2 is more likely to exist.
void RequestStream::DrawLinkWrite(Op op, MotifPayload* payload, double exists,
                                  Request* request) {
  DrawLinkKey(model_->write_, request);
  request->id2s[0] = DrawId2(request->id1, Id2Range(*request, exists));
  request->id2_count = 1;
  if (op == Op::kDeleteLink) {
    request->time = NowMs();
    return;
  }
  const uint64_t size = model_->link_size_.Draw(random_);
  payload->Fill(random_, size, &request->payload);
  request->time = NowMs();
}

void RequestStream::DrawMultiget(Request* request) {
  DrawLinkKey(model_->read_, request);
  const uint64_t wanted = model_->multiget_size_.Draw(random_);
  const uint64_t range = Id2Range(*request, kGetExists);
  request->id2_count = static_cast<uint32_t>(wanted);
  const auto begin = request->id2s.begin();
  if (range <= wanted && model_->options_.graph.randomid2max == 0) {
    for (uint64_t i = 0; i < wanted; ++i) {
      request->id2s[i] = OwnId2(request->id1 + i);
    }
    return;
  }
  for (uint64_t i = 0; i < wanted; ++i) {
    const auto end = begin + static_cast<std::ptrdiff_t>(i);
    for (int draw = 0; draw < kMaxUniqueDraws; ++draw) {
      *end = DrawId2(request->id1, range);
      if (std::find(begin, end, *end) == end) break;
    }
  }
}

void RequestStream::DrawList(Request* request) {
  // DEVIATION T6: a percentage, so that 0.3 means 3 of 1,000 list reads.
  const double history = model_->options_.requests.getlinklist_history / 100;
  request->history = random_.NextDouble() < history && tails_.size() > 0;
  if (!request->history) {
    DrawLinkKey(model_->read_, request);
    request->max_time = std::numeric_limits<int64_t>::max();
    request->offset = 0;
    return;
  }
  request->tail = random_.NextInt(tails_.size());
  const Tail& tail = tails_[request->tail];
  request->id1 = tail.id1;
  request->type = tail.type;
  request->max_time = tail.time;
  request->offset = 1;  // the last link read is not read again
}

void RequestStream::OnListRead(const Request& request, uint32_t rows,
                               uint64_t last_time) {
  const bool more = rows >= kListLimit;
  if (!request.history) {
    if (more) tails_.Add(random_, {request.id1, request.type, last_time});
  } else if (more) {
    tails_.Advance(request.tail, last_time);
  } else {
    tails_.Remove(request.tail);
  }
}

void RequestStream::DrawNodeData(MotifPayload* payload, Request* request) {
  const uint64_t size = model_->node_size_.Draw(random_);
  payload->Fill(random_, size, &request->payload);
  request->time = NowMs() / 1000;
}

uint64_t RequestStream::Id2Range(const Request& request, double exists) const {
  const auto type = static_cast<uint32_t>(request.type - kFirstLinkType);
  const uint64_t links = model_->degrees().OfType(request.id1, type);
  // DEVIATION T17: a node without links has but one possible target, itself.
  const double range = std::ceil(1 / exists * static_cast<double>(links));
  return std::max<uint64_t>(1, static_cast<uint64_t>(range));
}

uint64_t RequestStream::DrawId2(uint64_t id1, uint64_t range) {
  const uint64_t max = model_->options_.graph.randomid2max;
  return OwnId2(max == 0 ? id1 + random_.NextInt(range) : random_.NextInt(max));
}

// With id2gen_config 1 the target moves to the nearest one below that is
// congruent to the worker's number, so that no two workers share a link.
uint64_t RequestStream::OwnId2(uint64_t id2) const {
  if (model_->options_.requests.id2gen_config != 1) return id2;
  const uint64_t max = model_->options_.graph.randomid2max;
  const uint64_t own = id2 - id2 % workers_ + index_;
  return max > 0 && own > max ? own - workers_ : own;
}

}  // namespace waltax::linkbench
