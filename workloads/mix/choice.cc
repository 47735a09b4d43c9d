#include "workloads/mix/choice.h"

#include <algorithm>
#include <cmath>

namespace waltax::mix {

void TableRows::Acknowledge(uint64_t first, uint64_t rows) {
  const std::scoped_lock lock(mutex_);
  early_.emplace(first, rows);
  uint64_t end = end_.load(std::memory_order_relaxed);
  while (!early_.empty() && early_.top().first == end) {
    end += early_.top().second;
    early_.pop();
  }
  end_.store(end, std::memory_order_release);
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
      rows_(rows),
      first_(draw.first),
      drawn_(1),
      scatter_(1) {
  if (!draw.is_row()) {
    const auto numbers = static_cast<uint64_t>(draw.high - draw.low) + 1;
    if (draw.choice == Choice::kUniform) return;
    if (draw.ycsb) {
      numbers_.emplace(numbers, draw.constant,
                       HarmonicSum(numbers, draw.constant));
    } else {
      zipf_ = std::make_shared<ExactZipf>(numbers, draw.constant);
    }
    return;
  }
  drawn_ = std::max<uint64_t>(1, rows->rows());
  if (draw.ycsb) {
    drawn_ = std::max<uint64_t>(1, values.mix().tables[draw.table].rows);
    if (draw.choice == Choice::kZipfian) {
      const double room = draw.room * static_cast<double>(drawn_);
      scrambled_.emplace(drawn_ + static_cast<uint64_t>(room) + 1);
    } else if (draw.choice == Choice::kLatest) {
      growing_.emplace(std::max<uint64_t>(1, drawn_ - 1));
    } else if (draw.choice != Choice::kExponential) {
      first_ = drawn_;
    }
  }
  if (draw.known < 1) {
    const double known = draw.known * static_cast<double>(drawn_);
    first_ = std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(known)));
  }
  if (first_ > 0) drawn_ = std::min(first_, drawn_);
  scatter_ = Scatter(drawn_);
  const bool zipf =
      draw.choice == Choice::kZipfian || draw.choice == Choice::kLatest;
  if (zipf && !draw.ycsb) {
    zipf_ = std::make_shared<ExactZipf>(drawn_, draw.constant);
  }
  if (draw.choice == Choice::kExponential) {
    exponential_ = std::make_shared<Exponential>(
        100 * draw.accesses, draw.share * static_cast<double>(drawn_));
  }
}

uint64_t RowChoice::DrawNumber(Random& random) const {
  const auto low = static_cast<uint64_t>(draw_.low);
  if (numbers_) return low + numbers_->Draw(random);
  if (zipf_) return low + zipf_->Draw(random);
  return low + random.NextInt(static_cast<uint64_t>(draw_.high) - low + 1);
}

std::optional<uint64_t> RowChoice::Draw(Random& random) const {
  const uint64_t all = rows_->rows();
  const uint64_t rows = first_ == 0 ? all : std::min(first_, all);
  const bool misses = draw_.misses > 0 && random.NextDouble() < draw_.misses;
  if (!misses) {
    const std::optional<uint64_t> row = DrawRow(random, rows);
    if (row || (in_turn() && rows_->runs_out())) return row;
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
      // It leaves room for rows to come, and draws again what is not there yet.
      while (scrambled_) {
        const uint64_t row = scrambled_->Draw(random);
        if (row < rows) return row;
      }
      return std::min(rows - 1, scatter_.Place(zipf_->Draw(random)));
    case Choice::kLatest:
      if (growing_) {
        const uint64_t newest = rows - 1;
        return newest - growing_->Quantile(random.NextDouble(),
                                           std::max<uint64_t>(1, newest));
      }
      return rows - 1 - std::min(rows - 1, zipf_->Draw(random));
    case Choice::kHotspot:
      return HotspotOf(random, rows);
    case Choice::kExponential: {
      double behind = exponential_->Draw(random);
      while (behind >= static_cast<double>(rows)) {
        behind = exponential_->Draw(random);
      }
      return rows - 1 - static_cast<uint64_t>(behind);
    }
    case Choice::kSequential:
      return rows_->Turn(rows);
    case Choice::kShuffled:
      break;
  }
  // Rows that a run inserts come behind those that it began with.
  const std::optional<uint64_t> turn = rows_->Turn(rows);
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
