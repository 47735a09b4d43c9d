// A store that does nothing.
#pragma once

#include <memory>

#include "sqlops/store.h"

namespace waltax::sqlops {

class NullSession : public Session {
 public:
  explicit NullSession(uint64_t students) : students_(students) {}

  Reply Insert(const Student& /*student*/) override { return Rows(1); }
  Reply Rename(uint64_t /*id*/, std::string_view /*name*/) override {
    return Rows(1);
  }
  Reply Delete(uint64_t id) override { return Rows(id == kMissingId ? 0 : 1); }
  Reply Read(Op op, uint64_t parameter) override {
    return Rows(WantedRows(op, parameter, students_));
  }

 private:
  static Reply Rows(uint64_t rows) {
    Reply reply;
    reply.rows = rows;
    return reply;
  }

  uint64_t students_;
};

class NullStore : public Store {
 public:
  explicit NullStore(uint64_t students) : students_(students) {}
  std::unique_ptr<Session> NewSession(uint64_t /*seed*/) override {
    return std::make_unique<NullSession>(students_);
  }
  Status Survey(Before* before) override {
    *before = {};
    return Status::Ok();
  }
  Status Check(const Expected& /*expected*/, CheckResult* /*result*/) override {
    return Status::Usage(
        "check: found the null store, which keeps nothing, want another store");
  }

 private:
  uint64_t students_;
};

}  // namespace waltax::sqlops
