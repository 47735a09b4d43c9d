#include "sqlops/workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "driver/random.h"

namespace waltax::sqlops {

namespace {

// Of the study: s_id < 10, s_id < 7, s_id = 24.
constexpr uint64_t kNames = 9;
constexpr uint64_t kSubjects = 6;
constexpr uint64_t kHotId = 24;

// Columns called NAME_us_STATISTIC; the histogram begins anew.
void TakeTimes(const std::string& name, Histogram* ns, nlohmann::json* to) {
  const auto add = [&](const char* statistic, double value) {
    (*to)[fmt::format("{}_us_{}", name, statistic)] = value / 1e3;
  };
  add("mean", ns->Mean());
  add("p50", static_cast<double>(ns->Percentile(50)));
  add("p99", static_cast<double>(ns->Percentile(99)));
  add("max", static_cast<double>(ns->Max()));
  ns->Clear();
}

class SqlopsWorker : public Worker {
 public:
  SqlopsWorker(std::unique_ptr<Session> session, Shared* shared, int index,
               uint64_t seed)
      : session_(std::move(session)),
        shared_(*shared),
        index_(index),
        pause_ns_(shared->options.shape.BeginNs(index)),
        random_(seed, static_cast<uint64_t>(index)) {}

  void Draw() override;
  // Of the ramp; the second statement of a slice follows the first at once.
  int64_t PauseNs() override { return std::exchange(pause_ns_, 0); }
  Outcome Execute() override;
  void AddCounters(uint64_t tally, nlohmann::json* counters) override;

 private:
  Reply Dispatch();
  Reply Insert();
  Reply DeleteNext();
  [[nodiscard]] uint64_t Wanted() const;
  Reply NoneLeft(std::string_view what, std::string_view remedy);

  std::unique_ptr<Session> session_;
  Shared& shared_;
  int index_;
  int64_t pause_ns_;
  Random random_;
  uint64_t id_ = 0;
  std::string name_;
  Student student_;
  std::string error_;
};

void SqlopsWorker::Draw() {
  const Op op = shared_.op;
  if (op == Op::kSelectPoint || op == Op::kUpdateRandom) {
    id_ = 1 + random_.NextInt(shared_.options.data.students);
  } else if (op == Op::kUpdateHot) {
    id_ = kHotId;
  }
  if (op == Op::kUpdateHot || op == Op::kUpdateRandom) {
    WriteNewName(random_.Next(), &name_);
  }
}

Outcome SqlopsWorker::Execute() {
  Outcome outcome;
  const Reply reply = Dispatch();
  if (reply.waited) {
    shared_.connection_wait_ns.Record(
        static_cast<uint64_t>(reply.waited->for_connection_ns));
    shared_.service_ns.Record(static_cast<uint64_t>(reply.waited->with_it_ns));
  }
  outcome.retries = reply.retries;
  outcome.error = reply.error;
  outcome.fatal = reply.fatal;
  outcome.committed = reply.changed;
  if (reply.error != nullptr) return outcome;
  outcome.rows = static_cast<uint32_t>(reply.rows);
  (reply.rows > 0 ? outcome.found : outcome.not_found) = 1;
  if (reply.rows == Wanted()) return outcome;
  error_ = fmt::format("{}: found {} rows, want {}", shared_.options.statement,
                       reply.rows, Wanted());
  outcome.error = &error_;
  return outcome;
}

// What all requesters share is told by the first of them. The next slice has a
// ramp of its own.
void SqlopsWorker::AddCounters(uint64_t /*tally*/, nlohmann::json* counters) {
  pause_ns_ = shared_.options.shape.BeginNs(index_);
  if (index_ != 0 || shared_.options.shape.pool == 0) return;
  TakeTimes("connection_wait", &shared_.connection_wait_ns, counters);
  TakeTimes("service", &shared_.service_ns, counters);
}

Reply SqlopsWorker::Dispatch() {
  switch (shared_.op) {
    case Op::kInsert:
    case Op::kInsertRandom:
      return Insert();
    case Op::kUpdateHot:
    case Op::kUpdateRandom:
      return session_->Rename(id_, name_);
    case Op::kDeleteMissing:
      return session_->Delete(kMissingId);
    case Op::kDeletePresent:
      return DeleteNext();
    case Op::kSelectPoint:
      return session_->Read(shared_.op, id_);
    default:
      return session_->Read(shared_.op, shared_.options.order_limit);
  }
}

Reply SqlopsWorker::Insert() {
  const uint64_t turn = shared_.inserts.Take();
  if (turn > shared_.insert_ids.turns()) {
    return NoneLeft("every s_id that an INT holds is taken", "fewer students");
  }
  shared_.students.Write(shared_.insert_ids.Of(turn), &student_);
  const Reply reply = session_->Insert(student_);
  if (reply.error == nullptr) shared_.inserts.Acknowledge(turn);
  return reply;
}

Reply SqlopsWorker::DeleteNext() {
  const uint64_t turn = shared_.deletes.Take();
  if (turn > shared_.delete_ids.turns()) {
    return NoneLeft("all students are deleted", "more --students");
  }
  const Reply reply = session_->Delete(shared_.delete_ids.Of(turn));
  if (reply.error == nullptr) shared_.deletes.Acknowledge(turn);
  return reply;
}

// Of a statement that has nothing to work on: more of them end the run.
Reply SqlopsWorker::NoneLeft(std::string_view what, std::string_view remedy) {
  error_ =
      fmt::format("{}: {}; load {}", shared_.options.statement, what, remedy);
  Reply reply;
  reply.fatal = true;
  reply.error = &error_;
  return reply;
}

uint64_t SqlopsWorker::Wanted() const {
  switch (shared_.op) {
    case Op::kInsert:
    case Op::kInsertRandom:
    case Op::kUpdateHot:
    case Op::kUpdateRandom:
    case Op::kDeletePresent:
      return 1;
    case Op::kDeleteMissing:
      return 0;
    default:
      return WantedRows(shared_.op, shared_.options.order_limit,
                        shared_.options.data.students);
  }
}

Turns TurnsOf(uint64_t first, const AcknowledgedCounter& counter,
              uint64_t last) {
  return {first, std::min(counter.next(), last + 1), counter.Doubtful()};
}

}  // namespace

uint64_t WantedRows(Op op, uint64_t parameter, uint64_t students) {
  switch (op) {
    case Op::kSelectNames:
      return kNames;
    case Op::kSelectSubjects:
      return kSubjects;
    case Op::kSelectPoint:
      return 1;
    case Op::kOrderAll:
      return students;
    default:
      return std::min(parameter, students);
  }
}

SqlopsWorkload::SqlopsWorkload(const Options& options, const Students& students,
                               Store* store, const Before& before)
    : before_(before),
      shared_(options, students, before),
      store_(*store),
      names_({EventName(options.op())}) {}

nlohmann::json SqlopsWorkload::Describe() const {
  return ToJson(shared_.options);
}

std::unique_ptr<Worker> SqlopsWorkload::NewWorker(int index, uint64_t seed) {
  return std::make_unique<SqlopsWorker>(
      store_.NewSession(seed + static_cast<uint64_t>(index)), &shared_, index,
      seed);
}

Status SqlopsWorkload::Check(CheckResult* result) {
  Expected expected;
  expected.op = shared_.op;
  expected.inserted = TurnsOf(before_.first_insert, shared_.inserts,
                              shared_.insert_ids.turns());
  expected.deleted = TurnsOf(before_.first_delete, shared_.deletes,
                             shared_.delete_ids.turns());
  return store_.Check(expected, result);
}

}  // namespace waltax::sqlops
