// A store that does nothing: what a run costs without one.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "ycsb/store.h"

namespace waltax::ycsb {

class NullSession : public Session {
 public:
  NullSession() = default;
  // What a session is that could not be opened: all that is asked of it fails
  // for that reason.
  explicit NullSession(std::string refused) : refused_(std::move(refused)) {
    reply_.fatal = true;
    reply_.error = &refused_;
  }
  Reply Read(std::string_view, std::optional<uint32_t>, Row*) override {
    return Found();
  }
  Reply Update(std::string_view, const Values&) override { return Found(); }
  Reply Replace(std::string_view, const Values&) override { return Found(); }
  Reply ReadModifyWrite(std::string_view, std::optional<uint32_t>,
                        const Values&, Row*) override {
    return Found();
  }
  Reply Insert(std::string_view, const Values&) override { return Found(); }
  Reply Scan(std::string_view, uint32_t, std::optional<uint32_t>) override {
    return Found();
  }

 private:
  Reply Found() {
    reply_.found = true;
    return reply_;
  }
  std::string refused_;
  Reply reply_;
};

class NullStore : public Store {
 public:
  // `totals` is what a run shall find.
  explicit NullStore(const Totals& totals) : totals_(totals) {}
  std::unique_ptr<Session> NewSession(uint64_t) override {
    return std::make_unique<NullSession>();
  }
  Status Survey(Totals* totals) override {
    *totals = totals_;
    return Status::Ok();
  }
  // "Consistent" would be said of nothing.
  Status Check(const Expected&, int, CheckResult*) override {
    return Status::Usage(
        "check: found the null store, which keeps nothing, want another store");
  }

 private:
  Totals totals_;
};

}  // namespace waltax::ycsb
