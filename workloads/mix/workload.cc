#include "workloads/mix/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "workloads/mix/choice.h"
#include "workloads/mix/pool.h"

namespace waltax::mix {
namespace {

class MixWorker : public Worker {
 public:
  // `choices` are by operation and draw. Without a session all is done that is
  // asked for, and nothing is kept.
  MixWorker(const Values& values, std::vector<std::vector<RowChoice>> choices,
            std::unique_ptr<Session> session, AckLog* log, TableStates* states,
            int64_t begin_ns, int index, uint64_t seed)
      : values_(values),
        mix_(values.mix()),
        session_(std::move(session)),
        log_(log),
        states_(*states),
        begin_ns_(begin_ns),
        pause_ns_(begin_ns),
        random_(seed, static_cast<uint64_t>(index)),
        choices_(std::move(choices)) {
    request_.drawn.resize(mix_.most_values);
  }

  void Draw() override {
    const size_t operations = mix_.operations.size();
    const double share = operations > 1 ? random_.NextDouble() : 0;
    size_t operation = 0;
    while (operation + 1 < operations &&
           share >= mix_.operations[operation].up_to) {
      ++operation;
    }
    request_.operation = operation;
    request_.stamp = random_.Next() | 1;
    (void)DrawAll(/*in_turn=*/false);
  }
  int64_t PauseNs() override {
    return std::exchange(pause_ns_,
                         static_cast<int64_t>(1e6 * mix_.load.think_time_ms));
  }
  Outcome Execute() override {
    const Operation& operation = mix_.operations[request_.operation];
    Outcome outcome;
    if (DrawAll(/*in_turn=*/true)) {
      for (const Step& step : operation.steps) {
        if (step.verb != Verb::kInsert) continue;
        request_.drawn[step.at] = states_[step.table]->Take(step.rows);
      }
      outcome = Do(operation);
      for (const Step& step : operation.steps) {
        if (!step.writes()) continue;
        TableState& state = *states_[step.table];
        if (outcome.error != nullptr) {
          state.doubtful = true;
        } else {
          Acknowledge({values_, operation, request_, step}, &state);
        }
      }
      if (outcome.error == nullptr && outcome.not_found > 0 &&
          operation.wants_rows) {
        error_ = fmt::format("{}: found no such row as {}", operation.name,
                             request_.drawn.front());
        outcome.error = &error_;
      }
    } else {
      outcome.error = &error_;
    }
    outcome.operation = static_cast<uint32_t>(request_.operation);
    return outcome;
  }
  // The next slice has a ramp of its own.
  void AddColumns(nlohmann::json* /*columns*/) override {
    pause_ns_ = begin_ns_;
  }

 private:
  // Each returns false when no row is left whose turn would come.
  bool DrawAll(bool in_turn) {
    const std::vector<mix::Draw>& draws =
        mix_.operations[request_.operation].draws;
    for (size_t i = 0; i < draws.size(); ++i) {
      const mix::Draw& draw = draws[i];
      const RowChoice& choice = choices_[request_.operation][i];
      if (choice.in_turn() != in_turn) continue;
      if (draw.is_row()) {
        if (!DrawRows(draw, choice)) return false;
        continue;
      }
      for (size_t k = 0; k < draw.count; ++k) {
        request_.drawn[draw.at + k] = choice.DrawNumber(random_);
      }
    }
    return true;
  }
  // Each another one, unless that takes too long: few rows, or very skewed
  // ones.
  bool DrawRows(const mix::Draw& draw, const RowChoice& choice) {
    constexpr int kTries = 8;
    constexpr size_t kMostCompared = 64;
    uint64_t* const first = request_.drawn.data() + draw.at;
    for (size_t i = 0; i < draw.count; ++i) {
      std::optional<uint64_t> row = choice.Draw(random_);
      for (int tries = 0; tries < kTries && i < kMostCompared &&
                          std::find(first, first + i, row) != first + i;
           ++tries) {
        row = choice.Draw(random_);
      }
      if (!row) {
        error_ = fmt::format(
            "{}: all rows of {} are deleted; give the file more rows, or a "
            "larger --scale",
            mix_.operations[request_.operation].name,
            mix_.tables[draw.table].name);
        return false;
      }
      first[i] = *row;
    }
    // Transactions that lock several rows lock them in one order, and do not
    // wait for each other in a circle.
    std::sort(first, first + draw.count);
    return true;
  }

  // A commit that cannot be noted would make a later check wrong.
  Outcome Do(const Operation& operation) {
    Outcome outcome;
    if (session_ == nullptr) {
      outcome.committed = operation.writes();
      return outcome;
    }
    if (log_ == nullptr || !operation.writes()) {
      return session_->Execute(request_);
    }
    std::vector<uint64_t> numbers = {request_.stamp, request_.operation};
    numbers.insert(numbers.end(), request_.drawn.begin(), request_.drawn.end());
    Status noted = log_->Begin(numbers);
    if (noted.ok()) {
      outcome = session_->Execute(request_);
      if (outcome.error == nullptr && outcome.committed) {
        noted = log_->Acknowledge({request_.stamp});
      }
    }
    if (noted.ok()) return outcome;
    error_ = noted.message();
    outcome.error = &error_;
    return outcome;
  }

  // What a step wrote is there from now on.
  void Acknowledge(const RequestStep& at, TableState* state) {
    const uint32_t written = session_ ? session_->written()[at.place()] : 0;
    if (at.step.verb == Verb::kInsert) {
      state->Acknowledge(at.written_row(0), at.step.rows);
    } else if (at.step.verb == Verb::kDelete) {
      state->count.fetch_sub(written, std::memory_order_relaxed);
    } else if (at.step.verb == Verb::kPut) {
      for (const uint64_t row : at.rows()) state->AcknowledgePut(row);
    }
    for (const Assignment& each : at.step.add) {
      state->added[each.column].fetch_add(written * at.number(each, 0),
                                          std::memory_order_relaxed);
    }
  }

  const Values& values_;
  const Mix& mix_;
  std::unique_ptr<Session> session_;
  AckLog* log_;
  TableStates& states_;
  int64_t begin_ns_;
  int64_t pause_ns_;
  Random random_;
  std::vector<std::vector<RowChoice>> choices_;
  Request request_;
  std::string error_;
};

class MixWorkload : public Workload {
 public:
  MixWorkload(const Values& values, Store* store, int clients,
              TableStates states, AckLog* log)
      : values_(values),
        mix_(values.mix()),
        store_(store),
        log_(log),
        clients_(clients),
        states_(std::move(states)) {
    for (const Operation& operation : mix_.operations) {
      std::vector<RowChoice>& all = choices_.emplace_back();
      for (const mix::Draw& draw : operation.draws) {
        all.emplace_back(draw, values,
                         draw.is_row() ? states_[draw.table].get() : nullptr);
      }
      names_.emplace_back(operation.name);
    }
  }

  [[nodiscard]] const std::vector<std::string_view>& OperationNames()
      const override {
    return names_;
  }
  [[nodiscard]] nlohmann::json Describe() const override {
    return {{"clients", clients_}, {"unit", mix_.unit}};
  }
  [[nodiscard]] Throughput throughput() const override {
    return {mix_.unit, std::nullopt, 1};
  }
  std::unique_ptr<Worker> NewWorker(int index, uint64_t seed) override {
    const double begin_ns = 1e9 * mix_.load.ramp_s * index / clients_;
    std::unique_ptr<Session> session;
    if (store_ != nullptr && mix_.load.pool > 0) {
      if (!pool_) pool_.emplace(*store_, mix_.load.pool, seed);
      session = std::make_unique<PooledSession>(&*pool_);
    } else if (store_ != nullptr) {
      session = store_->NewSession(seed + static_cast<uint64_t>(index));
    }
    return std::make_unique<MixWorker>(
        values_, choices_, std::move(session), log_, &states_,
        static_cast<int64_t>(begin_ns), index, seed);
  }
  void AddToSlice(nlohmann::json* slice) override {
    if (store_ != nullptr) store_->AddToSlice(slice);
    if (pool_) pool_->AddColumns(&(*slice)["columns"]);
  }
  Status Check(CheckResult* result) override {
    if (store_ == nullptr) return Status::Ok();
    return mix::Check(values_, *store_, &states_, nullptr, result);
  }

 private:
  const Values& values_;
  const Mix& mix_;
  Store* store_;
  AckLog* log_;
  int clients_;
  TableStates states_;
  std::vector<std::vector<RowChoice>> choices_;  // that workers begin with
  std::vector<std::string_view> names_;
  std::optional<Pool> pool_;  // from the first worker on
};

}  // namespace

std::unique_ptr<Workload> NewMixWorkload(const Values& values, Store* store,
                                         int clients, TableStates states,
                                         AckLog* log) {
  return std::make_unique<MixWorkload>(values, store, clients,
                                       std::move(states), log);
}

}  // namespace waltax::mix
