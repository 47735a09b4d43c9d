#include "workloads/mix/state.h"

namespace waltax::mix {

void TableState::Acknowledge(uint64_t first, uint64_t rows) {
  count.fetch_add(rows, std::memory_order_relaxed);
  const std::scoped_lock lock(mutex_);
  early_.emplace(first, rows);
  uint64_t end = end_.load(std::memory_order_relaxed);
  while (!early_.empty() && early_.top().first == end) {
    end += early_.top().second;
    early_.pop();
  }
  end_.store(end, std::memory_order_release);
}

std::optional<uint64_t> TableState::Turn(uint64_t rows) {
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

}  // namespace waltax::mix
