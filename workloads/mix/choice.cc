#include "workloads/mix/choice.h"

#include <algorithm>
#include <cmath>

namespace waltax::mix {

std::vector<uint64_t> TableRows::Doubtful() const {
  std::vector<uint64_t> rows = inserts_.Doubtful();
  for (uint64_t& row : rows) --row;
  return rows;
}

std::optional<uint64_t> TableRows::Turn(uint64_t rows) {
  // A row that is put comes again, and so does its turn.
  if (!table_.deleted || table_.put) {
    const uint64_t turn = turn_.fetch_add(1, std::memory_order_relaxed);
    return rows == 0 ? std::nullopt : std::optional(turn % rows);
  }
  uint64_t turn = turn_.load(std::memory_order_relaxed);
  while (turn < rows) {
    if (turn_.compare_exchange_weak(turn, turn + 1,
                                    std::memory_order_relaxed)) {
      return turn;
    }
  }
  return std::nullopt;
}

RowChoice::RowChoice(const mix::Draw& draw, const Values& values,
                     TableRows* rows)
    : draw_(draw),
      values_(values),
      rows_(*rows),
      first_(draw.first),
      drawn_(std::max<uint64_t>(1, rows->rows())),
      scatter_(1) {
  if (draw.known < 1) {
    const double known = draw.known * static_cast<double>(drawn_);
    first_ = std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(known)));
  }
  if (first_ > 0) drawn_ = std::min(first_, drawn_);
  scatter_ = Scatter(drawn_);
  if (draw.choice == Choice::kZipfian || draw.choice == Choice::kLatest) {
    zipf_ = std::make_unique<ExactZipf>(drawn_, draw.constant);
  }
  if (draw.choice == Choice::kExponential) {
    exponential_ = std::make_unique<Exponential>(
        100 * draw.accesses, draw.share * static_cast<double>(drawn_));
  }
}

std::optional<uint64_t> RowChoice::Draw(Random& random) const {
  const uint64_t all = rows_.rows();
  const uint64_t rows = first_ == 0 ? all : std::min(first_, all);
  const bool misses = draw_.misses > 0 && random.NextDouble() < draw_.misses;
  if (!misses) {
    const std::optional<uint64_t> row = DrawRow(random, rows);
    if (row || (in_turn() && rows_.runs_out())) return row;
  }
  return values_.Missing(draw_.table, random.Next());
}

std::optional<uint64_t> RowChoice::DrawRow(Random& random,
                                           uint64_t rows) const {
  if (rows == 0) return std::nullopt;
  switch (draw_.choice) {
    case Choice::kUniform:
      return random.NextInt(rows);
    case Choice::kZipfian:
      return std::min(rows - 1, scatter_.Place(zipf_->Draw(random)));
    case Choice::kLatest:
      return rows - 1 - std::min(rows - 1, zipf_->Draw(random));
    case Choice::kHotspot:
      return HotspotOf(random, rows);
    case Choice::kExponential: {
      const double behind = exponential_->Draw(random);
      return rows - 1 -
             std::min(rows - 1, static_cast<uint64_t>(std::min(behind, 1e18)));
    }
    case Choice::kSequential:
      return rows_.Turn(rows);
    case Choice::kShuffled:
      break;
  }
  // Rows that a run inserts come behind those that it began with.
  const std::optional<uint64_t> turn = rows_.Turn(rows);
  return turn && *turn < drawn_ ? scatter_.Place(*turn) : turn;
}

uint64_t RowChoice::HotspotOf(Random& random, uint64_t rows) const {
  const auto hot = std::clamp<uint64_t>(
      static_cast<uint64_t>(draw_.share * static_cast<double>(rows)), 1, rows);
  if (hot == rows || random.NextDouble() < draw_.accesses) {
    return random.NextInt(hot);
  }
  return hot + random.NextInt(rows - hot);
}

}  // namespace waltax::mix
