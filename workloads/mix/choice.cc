#include "workloads/mix/choice.h"

#include <algorithm>
#include <cmath>

namespace waltax::mix {

std::vector<uint64_t> TableRows::Doubtful() const {
  std::vector<uint64_t> rows = inserts_.Doubtful();
  for (uint64_t& row : rows) --row;
  return rows;
}

std::optional<uint64_t> TableRows::Turn() {
  const uint64_t all = rows();
  if (!table_.deleted) {
    const uint64_t turn = turn_.fetch_add(1, std::memory_order_relaxed);
    return all == 0 ? std::nullopt : std::optional(turn % all);
  }
  uint64_t turn = turn_.load(std::memory_order_relaxed);
  while (turn < all) {
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
      scatter_(std::max<uint64_t>(1, rows->rows())) {
  const uint64_t begin = std::max<uint64_t>(1, rows->rows());
  if (draw.known < 1) {
    const double known = draw.known * static_cast<double>(begin);
    first_ = std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(known)));
  }
  const uint64_t drawn = first_ == 0 ? begin : std::min(first_, begin);
  if (draw.choice == Choice::kZipfian || draw.choice == Choice::kLatest) {
    zipf_ = std::make_unique<ExactZipf>(drawn, draw.constant);
    scatter_ = Scatter(drawn);
  }
  if (draw.choice == Choice::kExponential) {
    exponential_ = std::make_unique<Exponential>(
        100 * draw.accesses, draw.share * static_cast<double>(drawn));
  }
}

uint64_t RowChoice::Draw(Random& random) const {
  const uint64_t all = rows_.rows();
  const uint64_t rows = first_ == 0 ? all : std::min(first_, all);
  const bool misses =
      rows == 0 || (draw_.misses > 0 && random.NextDouble() < draw_.misses);
  if (misses) return values_.Missing(draw_.table, random.Next());
  return DrawRow(random, rows);
}

uint64_t RowChoice::DrawRow(Random& random, uint64_t rows) const {
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
    case Choice::kShuffled:
      break;
  }
  const std::optional<uint64_t> turn = rows_.Turn();
  if (!turn) return values_.Missing(draw_.table, random.Next());
  const bool shuffled = draw_.choice == Choice::kShuffled;
  return shuffled ? scatter_.Place(*turn) % rows : *turn % rows;
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
