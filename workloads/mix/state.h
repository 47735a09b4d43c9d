// What is known of a table while clients work on it: which rows there are to be
// asked for, and what a check must find.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "workloads/mix/file.h"

namespace waltax::mix {

// Thread-safe.
class TableState {
 public:
  // So many rows were found, all before `next`, the first of them `oldest`.
  TableState(const Table& table, uint64_t found, uint64_t next, uint64_t oldest)
      : count(found),
        added(table.columns.size()),
        table_(table),
        next_(next),
        end_(next),
        turn_(oldest),
        put_(table.put ? table.rows : 0) {}

  // What was found, and what was acknowledged since: rows where none is put,
  // and by column what was added to all of them since they were written.
  std::atomic<uint64_t> count;
  std::vector<std::atomic<int64_t>> added;
  // A write failed, and nobody knows what it left: the contents of rows are
  // still checked, and not how many they are and what was added to them.
  std::atomic<bool> doubtful = false;

  // The number of the first of so many new rows.
  uint64_t Take(uint64_t rows) {
    return next_.fetch_add(rows, std::memory_order_relaxed);
  }
  // They are there, and can be asked for once all before them are. REQUIRES:
  // they were taken together.
  void Acknowledge(uint64_t first, uint64_t rows) {
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
  void AcknowledgePut(uint64_t row) {
    if (row < put_.size()) put_[row].store(true, std::memory_order_relaxed);
  }
  // Rows from 0 on that can be asked for; some may be deleted.
  [[nodiscard]] uint64_t rows() const {
    return table_.put ? table_.rows : end_.load(std::memory_order_acquire);
  }
  // The number that is taken next.
  [[nodiscard]] uint64_t next() const {
    return next_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] bool WasPut(uint64_t row) const {
    return row < put_.size() && put_[row].load(std::memory_order_relaxed);
  }

  // The next turn of those who take the first so many rows one after the other;
  // nothing when all of a table whose rows are deleted were taken. A row that
  // is put comes again, and so does its turn.
  std::optional<uint64_t> Turn(uint64_t rows) {
    if (!table_.deleted || table_.put) {
      const uint64_t turn = turn_.fetch_add(1, std::memory_order_relaxed);
      return rows == 0 ? std::nullopt : std::optional(turn % rows);
    }
    uint64_t turn = turn_.load(std::memory_order_relaxed);
    while (turn < rows && !turn_.compare_exchange_weak(
                              turn, turn + 1, std::memory_order_relaxed)) {
    }
    return turn < rows ? std::optional(turn) : std::nullopt;
  }
  // Whether no row will ever come to be taken once all were.
  [[nodiscard]] bool runs_out() const {
    return table_.deleted && !table_.inserted && !table_.put;
  }

 private:
  const Table& table_;
  std::atomic<uint64_t> next_;
  std::atomic<uint64_t> end_;  // all rows before it were acknowledged
  std::mutex mutex_;
  // Acknowledged behind a row that is not: the first of them, and how many.
  using Rows = std::pair<uint64_t, uint64_t>;
  std::priority_queue<Rows, std::vector<Rows>, std::greater<>> early_;
  std::atomic<uint64_t> turn_;
  std::vector<std::atomic<bool>> put_;  // in this run
};

using TableStates = std::vector<std::unique_ptr<TableState>>;

}  // namespace waltax::mix
