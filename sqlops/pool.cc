#include "sqlops/pool.h"

#include <string>
#include <utility>

#include "driver/clock.h"

namespace waltax::sqlops {

namespace {

class PooledSession : public Session {
 public:
  explicit PooledSession(std::shared_ptr<Pool> pool) : pool_(std::move(pool)) {}

  Reply Insert(const Student& student) override {
    return With([&](Session& session) { return session.Insert(student); });
  }
  Reply Rename(uint64_t id, std::string_view name) override {
    return With([&](Session& session) { return session.Rename(id, name); });
  }
  Reply Delete(uint64_t id) override {
    return With([&](Session& session) { return session.Delete(id); });
  }
  Reply Read(Op op, uint64_t parameter) override {
    return With([&](Session& session) { return session.Read(op, parameter); });
  }

 private:
  template <typename Statement>
  Reply With(const Statement& statement) {
    const int64_t wanted_ns = MonotonicNs();
    Session& session = pool_->Take();
    const int64_t taken_ns = MonotonicNs();
    Reply reply = statement(session);
    reply.waited = {taken_ns - wanted_ns, MonotonicNs() - taken_ns};
    if (reply.error != nullptr) {
      error_ = *reply.error;  // the next one to have the session overwrites it
      reply.error = &error_;
    }
    pool_->GiveBack(&session);
    return reply;
  }

  std::shared_ptr<Pool> pool_;
  std::string error_;
};

}  // namespace

Pool::Pool(Store* store, size_t sessions, uint64_t seed) {
  for (size_t i = 0; i < sessions; ++i) {
    sessions_.push_back(store->NewSession(seed + i));
    free_.push_back(sessions_.back().get());
  }
}

Session& Pool::Take() {
  std::deque<Session*>* from = &free_;
  if (free_.empty()) {
    Reactor::Current()->Await(&waiting_);
    from = &handed_;
  }
  Session* session = from->front();
  from->pop_front();
  return *session;
}

// Into the hand of who waits longest: the caller would take it again before
// that one runs.
void Pool::GiveBack(Session* session) {
  if (waiting_.empty()) {
    free_.push_back(session);
    return;
  }
  handed_.push_back(session);
  Reactor::Current()->LetGo(&waiting_);
}

std::unique_ptr<Session> PooledStore::NewSession(uint64_t seed) {
  if (pool_ == nullptr) {
    pool_ = std::make_shared<Pool>(store_.get(), sessions_, seed);
  }
  return std::make_unique<PooledSession>(pool_);
}

}  // namespace waltax::sqlops
