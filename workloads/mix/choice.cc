#include "workloads/mix/choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "driver/distributions.h"
#include "workloads/mix/ycsb_draws.h"

namespace waltax::mix {
namespace {

// YCSB asks for rows that a run inserted by these alone.
bool SeesNew(Choice choice) {
  return choice == Choice::kZipfian || choice == Choice::kLatest ||
         choice == Choice::kExponential;
}

// An order of the numbers of [0, n) in which neighbours lie far apart: a place
// for each of them. REQUIRES: n > 0.
class Scatter {
 public:
  explicit Scatter(uint64_t n) : n_(n) {
    constexpr double kGolden = 0.6180339887498949;
    step_ = std::max<uint64_t>(
        1, static_cast<uint64_t>(static_cast<double>(n) * kGolden));
    while (std::gcd(step_, n_) != 1) ++step_;
  }
  [[nodiscard]] uint64_t Place(uint64_t i) const {
    return static_cast<uint64_t>(static_cast<unsigned __int128>(i) * step_ %
                                 n_);
  }

 private:
  uint64_t n_;
  uint64_t step_;
};

uint64_t HotspotOf(const Draw& draw, Random& random, uint64_t rows) {
  const auto hot = std::clamp<uint64_t>(
      static_cast<uint64_t>(draw.share * static_cast<double>(rows)), 1, rows);
  if (hot == rows || random.NextDouble() < draw.accesses) {
    return random.NextInt(hot);
  }
  return hot + random.NextInt(rows - hot);
}

}  // namespace

RowChoice::RowChoice(const mix::Draw& draw, const Values& values,
                     TableState* rows)
    : draw_(draw), values_(values), rows_(rows), first_(draw.first) {
  if (!draw.is_row()) {
    first_ = static_cast<uint64_t>(draw.high - draw.low) + 1;
    if (draw.ycsb && draw.choice == Choice::kZipfian) {
      pick_ = [zipf = Zipf(first_, draw.constant,
                           HarmonicSum(first_, draw.constant))](
                  Random& random, uint64_t) { return zipf.Draw(random); };
    } else {
      pick_ = PickRow(first_, first_);
    }
    return;
  }
  const uint64_t all = std::max<uint64_t>(
      1, draw.ycsb ? values.mix().tables[draw.table].rows : rows->rows());
  if (draw.ycsb && !SeesNew(draw.choice)) first_ = all;
  if (draw.known < 1) {
    const double known = draw.known * static_cast<double>(all);
    first_ = std::max<uint64_t>(1, static_cast<uint64_t>(std::llround(known)));
  }
  pick_ = PickRow(first_ > 0 ? std::min(first_, all) : all, all);
}

RowChoice::Pick RowChoice::PickRow(uint64_t drawn, uint64_t loaded) const {
  const Scatter scatter(drawn);
  switch (draw_.choice) {
    case Choice::kUniform:
      return [](Random& random, uint64_t rows) { return random.NextInt(rows); };
    case Choice::kZipfian:
      if (draw_.ycsb) {
        // It leaves room for rows to come, and draws again what is not there
        // yet.
        const double room = draw_.room * static_cast<double>(loaded);
        return [zipf = ScrambledZipf(loaded + static_cast<uint64_t>(room) + 1)](
                   Random& random, uint64_t rows) {
          uint64_t row = zipf.Draw(random);
          while (row >= rows) row = zipf.Draw(random);
          return row;
        };
      }
      // Of numbers the smaller ones are drawn more often.
      return [scatter, is_row = draw_.is_row(),
              zipf = ExactZipf(drawn, draw_.constant)](Random& random,
                                                       uint64_t rows) {
        const uint64_t rank = zipf.Draw(random);
        return is_row ? std::min(rows - 1, scatter.Place(rank)) : rank;
      };
    case Choice::kLatest:
      if (draw_.ycsb) {
        return [zipf = GrowingZipf(std::max<uint64_t>(1, loaded - 1))](
                   Random& random, uint64_t rows) mutable {
          const uint64_t newest = rows - 1;
          return newest - zipf.Quantile(random.NextDouble(),
                                        std::max<uint64_t>(1, newest));
        };
      }
      return [zipf = ExactZipf(drawn, draw_.constant)](Random& random,
                                                       uint64_t rows) {
        return rows - 1 - std::min(rows - 1, zipf.Draw(random));
      };
    case Choice::kHotspot:
      return [&draw = draw_](Random& random, uint64_t rows) {
        return HotspotOf(draw, random, rows);
      };
    case Choice::kExponential:
      return [behind = Exponential(100 * draw_.accesses,
                                   draw_.share * static_cast<double>(drawn))](
                 Random& random, uint64_t rows) {
        double back = behind.Draw(random);
        while (back >= static_cast<double>(rows)) back = behind.Draw(random);
        return rows - 1 - static_cast<uint64_t>(back);
      };
    case Choice::kSequential:
      return [all = rows_](Random&, uint64_t rows) { return all->Turn(rows); };
    case Choice::kShuffled:
      break;
  }
  // Rows that a run inserts come behind those that it began with.
  return [all = rows_, drawn, scatter](Random&, uint64_t rows) {
    const std::optional<uint64_t> turn = all->Turn(rows);
    return turn && *turn < drawn ? scatter.Place(*turn) : turn;
  };
}

uint64_t RowChoice::DrawNumber(Random& random) const {
  return static_cast<uint64_t>(draw_.low) + pick_(random, first_).value_or(0);
}

std::optional<uint64_t> RowChoice::Draw(Random& random) const {
  const uint64_t all = rows_->rows();
  const uint64_t rows = first_ == 0 ? all : std::min(first_, all);
  const bool misses = draw_.misses > 0 && random.NextDouble() < draw_.misses;
  if (!misses) {
    const auto row = rows == 0 ? std::nullopt : pick_(random, rows);
    if (row || (in_turn() && rows_->runs_out())) return row;
  }
  return values_.Missing(draw_.table, random.Next());
}

}  // namespace waltax::mix
