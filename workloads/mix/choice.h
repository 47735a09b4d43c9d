// Which rows an operation is about, as its file says: the rows that are there,
// those of runs among them, by one of several distributions.
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

#include "driver/distributions.h"
#include "driver/random.h"
#include "driver/scatter.h"
#include "workloads/mix/file.h"
#include "workloads/mix/values.h"
#include "workloads/mix/ycsb_draws.h"

namespace waltax::mix {

// What the clients of a run share about a table. Thread-safe.
class TableRows {
 public:
  // A survey found the rows to before `next`, the first of them `oldest`.
  TableRows(const Table& table, uint64_t next, uint64_t oldest)
      : table_(table), next_(next), end_(next), turn_(oldest) {
    if (table.put) put_ = std::vector<std::atomic<bool>>(table.rows);
  }

  // The number of the first of so many new rows.
  uint64_t Take(uint64_t rows) {
    return next_.fetch_add(rows, std::memory_order_relaxed);
  }
  // They are there, and can be asked for once all before them are. REQUIRES:
  // they were taken together.
  void Acknowledge(uint64_t first, uint64_t rows);
  // Rows from 0 on that can be asked for; some may be deleted.
  [[nodiscard]] uint64_t rows() const {
    return table_.put ? table_.rows : end_.load(std::memory_order_acquire);
  }
  // The number that is taken next.
  [[nodiscard]] uint64_t next() const {
    return next_.load(std::memory_order_relaxed);
  }

  // The next turn of those who take the first so many rows one after the other;
  // nothing when all of a table whose rows are deleted were taken.
  std::optional<uint64_t> Turn(uint64_t rows);
  // Whether no row will ever come to be taken once all were.
  [[nodiscard]] bool runs_out() const {
    return table_.deleted && !table_.inserted && !table_.put;
  }

  void AcknowledgePut(uint64_t row) {
    if (row < put_.size()) put_[row].store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool WasPut(uint64_t row) const {
    return put_[row].load(std::memory_order_relaxed);
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

// The rows or numbers of one draw, for one client. A copy draws as if it was
// made anew.
class RowChoice {
 public:
  // All outlive it; `rows` are null of numbers.
  RowChoice(const Draw& draw, const Values& values, TableRows* rows);

  // Nothing when all turns were taken, and no more rows will come.
  std::optional<uint64_t> Draw(Random& random) const;
  [[nodiscard]] uint64_t DrawNumber(Random& random) const;
  // Whether the clients take turns: then it is known only when a row is taken,
  // and is to be drawn no sooner.
  [[nodiscard]] bool in_turn() const {
    return draw_.choice >= Choice::kSequential;
  }

 private:
  // One of the first so many; nothing when there is none.
  [[nodiscard]] std::optional<uint64_t> DrawRow(Random& random,
                                                uint64_t rows) const;
  [[nodiscard]] uint64_t HotspotOf(Random& random, uint64_t rows) const;

  const mix::Draw& draw_;
  const Values& values_;
  TableRows* rows_;
  uint64_t first_;  // so many are drawn at all; 0: all
  uint64_t drawn_;  // of those that a run began with
  // Over the rows that a run began with.
  std::shared_ptr<const ExactZipf> zipf_;
  std::shared_ptr<const Exponential> exponential_;
  // As YCSB draws: numbers, rows anywhere, the newest.
  std::optional<Zipf> numbers_;
  std::optional<ScrambledZipf> scrambled_;
  mutable std::optional<GrowingZipf> growing_;
  Scatter scatter_;
};

}  // namespace waltax::mix
